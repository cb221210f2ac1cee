/** The texts of `-ERR` that clients of NATS know. */
export const ERR = {
  unknownOperation: 'Unknown Protocol Operation',
  parser: 'Parser Error',
  controlLine: 'Maximum Control Line Exceeded',
  payload: 'Maximum Payload Violation',
  subject: 'Invalid Subject',
  publishSubject: 'Invalid Publish Subject',
  authorization: 'Authorization Violation',
  authTimeout: 'Authentication Timeout',
  stale: 'Stale Connection',
  slow: 'Slow Consumer',
  connections: 'maximum connections exceeded',
  subscriptions: 'maximum subscriptions exceeded',
  shutdown: 'Server Shutdown',
} as const;

export type ErrText = (typeof ERR)[keyof typeof ERR];

/** The client broke the protocol: it is told why and its connection ends. */
export class ProtocolViolation extends Error {
  readonly text: ErrText;

  constructor(text: ErrText) {
    super(text);
    this.name = 'ProtocolViolation';
    this.text = text;
  }
}
