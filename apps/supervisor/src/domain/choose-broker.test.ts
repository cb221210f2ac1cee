import { describe, expect, it } from 'vitest';
import { brokerLabel, chooseBroker } from './choose-broker.js';

const NATS = '/usr/bin/nats-server';

describe('the choice of a broker', () => {
  it('takes nats-server where there is one, else the embedded broker', () => {
    expect(chooseBroker('auto', NATS).kind).toBe('nats-server');
    expect(chooseBroker('auto', undefined).kind).toBe('embedded');
    expect(chooseBroker('embedded', NATS).kind).toBe('embedded');
  });

  it('does not fall back when nats-server was asked for by name', () => {
    expect(() => chooseBroker('nats-server', undefined)).toThrow(/no nats-server on PATH/);
  });

  it('uses a broker that somebody else runs, and never shows its credentials', () => {
    const choice = chooseBroker('nats://me:secret@bus.example:4222', undefined);
    expect(choice.kind).toBe('external');
    expect(brokerLabel(choice)).not.toContain('secret');
    expect(brokerLabel(choice)).toContain('bus.example:4222');
  });

  it('uses every node of a cluster', () => {
    const choice = chooseBroker('nats://me:secret@a:4222,nats://b:4222', undefined);
    expect(choice.kind).toBe('external');
    expect(brokerLabel(choice)).toBe('nats://a:4222, nats://b:4222');
  });

  it('refuses anything else', () => {
    expect(() => chooseBroker('nats://a:4222,b:4222', NATS)).toThrow(/bus.broker: .*commas/);
    expect(() => chooseBroker('kafka', NATS)).toThrow(/"kafka"/);
  });
});
