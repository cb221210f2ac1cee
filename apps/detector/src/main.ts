#!/usr/bin/env node
import { runService } from '@switchyard/service';
import { build } from './detector.js';

await runService(build);
