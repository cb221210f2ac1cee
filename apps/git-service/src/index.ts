export { build } from './git-service.js';
