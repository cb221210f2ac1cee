/** The engine without a yard around it, for those who judge recordings. */
export { readManifests } from './adapters/manifest-folders.js';
export { BUNDLED_MANIFESTS } from './config.js';
export type { Engine } from './domain/engine.js';
export { evaluate } from './domain/evaluate.js';
export { sampleOfText } from './handlers/sample-text.js';
