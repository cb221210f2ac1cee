import { describe, expect, it } from 'vitest';
import { certificateNames, fleetServerConfig, fleetUrls, fleetUsersConfig, listenAddress } from './fleet-config.js';

describe('where other machines connect', () => {
  it.each([
    ['0.0.0.0:7422', { host: '0.0.0.0', port: 7422, ownHost: '127.0.0.1' }],
    ['[::]:1', { host: '::', port: 1, ownHost: '::1' }],
    ['hub.example:7422', { host: 'hub.example', port: 7422, ownHost: 'hub.example' }],
  ])('is read from %s', (text, address) => {
    expect(listenAddress(text)).toEqual(address);
  });

  it('is told them by name, and the certificate is for every name that anybody uses', () => {
    const listen = listenAddress('10.0.0.5:7422');
    expect(fleetUrls(['hub', 'fd00::1'], listen)).toEqual(['tls://hub:7422', 'tls://[fd00::1]:7422']);
    expect(certificateNames(['hub', '127.0.0.1'], listen)).toEqual([
      'hub',
      '127.0.0.1',
      '10.0.0.5',
      'localhost',
      '::1',
    ]);
    expect(certificateNames([], listenAddress('0.0.0.0:1'))).not.toContain('0.0.0.0');
  });
});

describe('the configuration of the fleet broker', () => {
  it('never lets anybody in for want of users, nor do anything for want of permissions', () => {
    expect(() => fleetUsersConfig([])).toThrow(/must have a user/);
    expect(fleetUsersConfig([{ publicKey: 'UA', publish: [], subscribe: [] }])).toContain(
      '{ nkey: UA, permissions: { publish: { deny: [">"] }, subscribe: { deny: [">"] } } }',
    );
  });

  it('asks for encryption and quotes its paths', () => {
    const config = fleetServerConfig({
      listen: listenAddress('[::]:7422'),
      certificate: '/a "b"/server.pem',
      key: '/key',
      users: 'users.conf',
      yard: { port: 20001, password: 'secret' },
    });
    expect(config).toContain('listen: "[::]:7422"');
    expect(config).toContain('cert_file: "/a \\"b\\"/server.pem"');
    expect(config).toMatch(/^tls \{$/m);
  });
});
