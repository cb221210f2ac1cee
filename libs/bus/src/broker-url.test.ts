import { describe, expect, it } from 'vitest';
import { brokerLogin } from './broker-url.js';

describe('the URL of a broker', () => {
  it('goes with the token of the yard when it names nobody', () => {
    expect(brokerLogin('nats://127.0.0.1:4222', 'secret')).toEqual({ servers: '127.0.0.1:4222', token: 'secret' });
  });

  it('carries a token, or a user with a password', () => {
    expect(brokerLogin('nats://to%40ken@bus.example:4222', '')).toEqual({
      servers: 'bus.example:4222',
      token: 'to@ken',
    });
    expect(brokerLogin('nats://me:pass%2Fword@bus.example', '')).toEqual({
      servers: 'bus.example',
      user: 'me',
      pass: 'pass/word',
    });
  });

  it('asks for encryption with tls://', () => {
    expect(brokerLogin('tls://me:x@bus.example:4222', '')).toMatchObject({ servers: 'bus.example:4222', tls: {} });
  });
});
