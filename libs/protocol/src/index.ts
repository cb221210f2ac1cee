export {
  type Contract,
  contract,
  type Handler,
  type Handlers,
  type HandlersIn,
  type MethodName,
  type MethodsIn,
  type MethodsOf,
  methodNamed,
  type Params,
  type Result,
} from './contract/index.js';
export {
  type AnyMethod,
  type Effect,
  type MethodSpec,
  type Scope,
  SERVICES,
  type ServiceName,
  type Tier,
} from './define.js';
export { ERRORS, type ErrorCode, fail, isErrorCode, SwitchyardError } from './errors.js';
export { type BusEvent, type BusEventName, busEvents } from './events/index.js';
