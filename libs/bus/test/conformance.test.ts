import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { callCases } from './cases/calls.js';
import { discoveryCases } from './cases/discovery.js';
import { faultCases } from './cases/faults.js';
import { protocolCases } from './cases/protocol.js';
import { type BrokerKind, embedded, natsServer } from './support/brokers.js';
import { Scene } from './support/scene.js';

/** One suite, two brokers: whatever holds for one must hold for the other. */
for (const kind of [embedded, natsServer]) {
  const title = kind.missing === undefined ? kind.name : `${kind.name} (skipped: ${kind.missing})`;
  describe.skipIf(kind.missing !== undefined)(title, () => {
    describe('speaks the client protocol of NATS: it', () => onOneBroker(kind, protocolCases));
    describe('carries calls and events: the bus', () => onOneBroker(kind, callCases));
    describe('shows its services to the tools of NATS: the bus', () => onOneBroker(kind, discoveryCases));
    describe('when something dies: the bus', () => onABrokerEach(kind, faultCases));
  });
}

function onOneBroker(kind: BrokerKind, cases: (scene: Scene) => void): void {
  const scene = new Scene();
  beforeAll(() => scene.begin(kind));
  afterEach(() => scene.clear());
  afterAll(() => scene.end());
  cases(scene);
}

/** For cases that kill or stop it. */
function onABrokerEach(kind: BrokerKind, cases: (scene: Scene) => void): void {
  const scene = new Scene();
  beforeEach(() => scene.begin(kind));
  afterEach(() => scene.end());
  cases(scene);
}
