export { BrokenConfig } from './domain/broken-config.js';
export type { FileChange, IntegrationState, Plan } from './domain/plan.js';
export type { Target, TargetEvent } from './domain/target.js';
export { ChangedMeanwhile, type IntegrationStatus, Integrations } from './install/integrations.js';
export { TARGETS, targetNamed } from './targets/index.js';
