#!/usr/bin/env node
import { runService } from '@switchyard/service';
import { build } from './notifier.js';

await runService(build);
