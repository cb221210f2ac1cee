import { describe, expect, it } from 'vitest';
import { yardPaths } from './paths.js';

const UID = 1000;

describe('the paths of a yard', () => {
  it('follow the XDG folders, and our own variables before them', () => {
    const xdg = yardPaths({ HOME: '/home/me', XDG_RUNTIME_DIR: '/run/user/1000' }, UID);
    expect(xdg.gatewaySocket).toBe('/run/user/1000/switchyard/main/gateway.sock');
    expect(xdg.stateDir).toBe('/home/me/.local/state/switchyard/main');
    expect(xdg.configFile).toBe('/home/me/.config/switchyard/config.toml');
    const own = yardPaths({ HOME: '/h', SWITCHYARD_RUNTIME_DIR: '/r', SWITCHYARD_STATE_DIR: '/s' }, UID);
    expect(own).toMatchObject({ runtimeDir: '/r/main', stateDir: '/s/main' });
  });

  it('E9: differ for two yards of one user in everything but the configuration', () => {
    const [a, b] = ['a', 'b'].map((yard) => yardPaths({ HOME: '/h' }, UID, { yard }));
    for (const key of ['runtimeDir', 'stateDir', 'gatewaySocket', 'keeperSocket', 'busFile'] as const) {
      expect(a?.[key]).not.toBe(b?.[key]);
    }
    expect(a?.configFile).toBe(b?.configFile);
  });

  it("take a yard's own socket when the yard is named, even inside a terminal of another yard", () => {
    const env = { HOME: '/h', SWITCHYARD_SOCKET: '/tmp/outer.sock' };
    expect(yardPaths(env, UID).gatewaySocket).toBe('/tmp/outer.sock');
    expect(yardPaths(env, UID, { yard: 'other' }).gatewaySocket).toMatch(/other\/gateway\.sock$/);
    expect(yardPaths(env, UID, { yard: 'other', socket: '/x' }).gatewaySocket).toBe('/x');
  });

  it('C9: stay short enough for sockets when the folder is 130 characters deep', () => {
    const deep = `/tmp/${'d'.repeat(130)}`;
    const paths = yardPaths({ HOME: '/h', SWITCHYARD_RUNTIME_DIR: deep }, UID);
    expect(Buffer.byteLength(paths.supervisorSocket)).toBeLessThanOrEqual(103);
    expect(yardPaths({ HOME: '/h', SWITCHYARD_RUNTIME_DIR: deep }, UID).runtimeDir).toBe(paths.runtimeDir);
    expect(yardPaths({ HOME: '/h', SWITCHYARD_RUNTIME_DIR: deep }, UID, { yard: 'b' }).runtimeDir).not.toBe(
      paths.runtimeDir,
    );
  });
});
