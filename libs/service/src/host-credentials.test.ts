import { makeHostKey } from '@switchyard/bus';
import { describe, expect, it } from 'vitest';
import { busAddressOf, encodeCredentials, type HostCredentials, parseCredentials } from './host-credentials.js';

const { seed } = makeHostKey();
const good: HostCredentials = {
  version: 1,
  name: 'builder-1',
  space: 'a1b2',
  urls: ['tls://hub.example:7422', 'tls://[::1]:7422'],
  seed,
  ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  pty_hosts: 2,
  detectors: false,
};

describe('the credentials of a host', () => {
  it('are read as they were written', () => {
    expect(parseCredentials(encodeCredentials(good))).toEqual(good);
    expect(busAddressOf(good)).toEqual({ url: good.urls.join(','), token: '', space: 'a1b2', seed, ca: good.ca });
  });

  it.each([
    ['a name that is a wildcard', { name: '*' }, 'name'],
    ['the name of the yard itself', { name: 'local' }, 'name'],
    ['a space that is a wildcard', { space: '>' }, 'space'],
    ['no place to connect to', { urls: [] }, 'urls'],
    ['a connection without encryption', { urls: ['nats://hub:7422'] }, 'urls/0'],
    ['something else than a key', { seed: `${seed}A` }, 'seed'],
    ['no certificate', { ca: '' }, 'ca'],
    ['a later version', { version: 2 }, 'version'],
  ])('are refused with %s, naming what is wrong and not the secret', (_, change, what) => {
    const read = () => parseCredentials(JSON.stringify({ ...good, ...change }));
    expect(read).toThrow(new RegExp(`credentials of a host: ${what} `));
    expect(read).not.toThrow(new RegExp(seed));
  });

  it('are refused when they are cut off, without quoting them', () => {
    const read = () => parseCredentials(encodeCredentials(good).slice(0, -20));
    expect(read).toThrow(/not JSON/);
    expect(read).not.toThrow(new RegExp(seed.slice(0, 8)));
  });
});
