export { build } from './pty-host.js';
