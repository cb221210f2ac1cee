export { type YardPaths, yardPaths } from './paths.js';
export { Settings } from './settings.js';
