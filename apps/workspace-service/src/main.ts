#!/usr/bin/env node
import { runService } from '@switchyard/service';
import { build } from './workspace-service.js';

await runService(build);
