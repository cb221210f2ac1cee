export { type Broker, type BrokerConfig, type BrokerDeps, build } from './broker.js';
export { LIMITS, type Limits } from './limits.js';
