#!/usr/bin/env node
import { runService } from '@switchyard/service';
import { build } from './git-service.js';

await runService(build);
