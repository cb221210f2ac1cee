import { describe, expect, it } from 'vitest';
import { brokerLogin, brokerUrls } from './broker-url.js';

describe('the URL of a broker', () => {
  it('goes with the token of the yard when it names nobody', () => {
    expect(brokerLogin('nats://127.0.0.1:4222', 'secret')).toEqual({ servers: ['127.0.0.1:4222'], token: 'secret' });
  });

  it('carries a token, or a user with a password', () => {
    expect(brokerLogin('nats://to%40ken@bus.example:4222', '')).toEqual({
      servers: ['bus.example:4222'],
      token: 'to@ken',
    });
    expect(brokerLogin('nats://me:pass%2Fword@bus.example', '')).toEqual({
      servers: ['bus.example'],
      user: 'me',
      pass: 'pass/word',
    });
  });

  it('asks for encryption with tls://', () => {
    expect(brokerLogin('tls://me:x@bus.example:4222', '')).toMatchObject({ servers: ['bus.example:4222'], tls: {} });
  });

  it('may be several: the nodes of a cluster, with credentials that need to be said only once', () => {
    const login = { servers: ['a:4222', 'b:4222', 'c'], user: 'me', pass: 'x' };
    expect(brokerLogin('nats://a:4222,nats://me:x@b:4222, nats://c', '')).toEqual(login);
    expect(brokerLogin('nats://me:x@a:4222,nats://me:x@b:4222,nats://c', 'unused')).toEqual(login);
  });

  it.each([
    ['nats://a,tls://b', /mixed/],
    ['nats://me:secret@a,nats://you:secret@b', /same user/],
    ['nats://a,', /with commas/],
    ['http://a', /like nats:/],
  ])('is refused when it is %s, in words without credentials', (list, words) => {
    expect(() => brokerUrls(list)).toThrow(words);
    expect(() => brokerUrls(list)).not.toThrow(/secret/);
  });
});
