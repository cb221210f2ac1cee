export { connectBus } from './connect.js';
export {
  type Bus,
  type BusOptions,
  type Caller,
  type CallOptions,
  DEFAULT_ADDRESS,
  type HandlerContext,
  type Health,
  type Log,
  type Served,
} from './types.js';
