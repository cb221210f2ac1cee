export { build } from './gateway.js';
