export { logRootOf } from './config.js';
export { KeeperClient, type KeeperClientOptions } from './keeper-client.js';
export {
  KEEPER_PROTOCOL_VERSION,
  type KeeperError,
  type KeeperEvent,
  type KeeperOp,
  type KeeperOps,
  type KeeperParams,
  type KeeperResult,
  type KeptTerminal,
  type Survivor,
} from './protocol.js';
