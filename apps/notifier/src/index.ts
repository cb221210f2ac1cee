export { build } from './notifier.js';
