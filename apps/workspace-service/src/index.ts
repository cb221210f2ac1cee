export { build } from './workspace-service.js';
