export { connectBus } from './connect.js';
export { type HostKey, makeHostKey } from './host-key.js';
export { type BusPermissions, type FleetHost, hostPermissions } from './host-permissions.js';
export { LOCAL_HOST } from './subjects.js';
export { tryLogin } from './try-login.js';
export {
  type Bus,
  type BusOptions,
  type Caller,
  type CallOptions,
  DEFAULT_ADDRESS,
  type Gauges,
  type HandlerContext,
  type Health,
  type Log,
  type OnBehalf,
  type Served,
  type ServiceReport,
  type SurveyOptions,
} from './types.js';
export { BUS_PROTOCOL } from './version.js';
