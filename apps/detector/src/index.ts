export { build } from './detector.js';
