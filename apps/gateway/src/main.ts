import { runService } from '@switchyard/service';
import { build } from './gateway.js';

await runService(build);
