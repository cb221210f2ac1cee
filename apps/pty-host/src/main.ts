#!/usr/bin/env node
import { runService } from '@switchyard/service';
import { build } from './pty-host.js';

await runService(build);
