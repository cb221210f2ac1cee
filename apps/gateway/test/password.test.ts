import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from './harness.js';

describe('password access', () => {
  let dir = tempDir('sy-pass');
  let file = '';
  let gateway: TestGateway;
  beforeEach(async () => {
    dir = tempDir('sy-pass');
    file = join(dir.path, 'password');
    writeFileSync(file, 'correct horse\nsecond line\n', { mode: 0o600 });
    gateway = await startGateway(
      { access_mode: 'password', password_file: file },
      { 'window.list': () => ({ windows: [] }) },
    );
  });
  afterEach(async () => {
    await gateway.stop();
    dir.remove();
  });

  it('answers auth_required to everything but the login, whether the method exists or not', async () => {
    const wire = await gateway.wire();
    for (const method of ['system.ping', 'system.capabilities', 'window.list', 'no.such', 'terminal.list']) {
      expect(await wire.ask(method)).toMatchObject({ ok: false, error: { code: 'auth_required' } });
    }
  });

  it('opens the one connection that logged in', async () => {
    const [mine, other] = [await gateway.wire(), await gateway.wire()];
    expect(await mine.ask('auth.login', { password: 'correct horse' })).toMatchObject({
      result: { authenticated: true },
    });
    expect(await mine.ask('window.list')).toMatchObject({ ok: true });
    expect(await other.ask('window.list')).toMatchObject({ error: { code: 'auth_required' } });
  });

  it('judges what is sent together with the login by its outcome', async () => {
    const wire = await gateway.wire();
    wire.send({ id: 1, method: 'auth.login', params: { password: 'correct horse' } }, { id: 2, method: 'window.list' });
    expect([await wire.read(), await wire.read()]).toMatchObject([
      { id: 1, ok: true },
      { id: 2, ok: true },
    ]);
  });

  it('answers auth_failed to a wrong password and closes after five', async () => {
    const wire = await gateway.wire();
    for (let i = 0; i < 5; i++) {
      expect(await wire.ask('auth.login', { password: `wrong ${i}` })).toMatchObject({
        error: { code: 'auth_failed' },
      });
    }
    await wire.ended;
    expect(gateway.logged.some((line) => JSON.stringify(line).includes('wrong'))).toBe(false);
  });

  it('refuses a password that is no text', async () => {
    const wire = await gateway.wire();
    expect(await wire.ask('auth.login', { password: 7 })).toMatchObject({ error: { code: 'invalid_params' } });
    expect(await wire.ask('auth.login')).toMatchObject({ error: { code: 'invalid_params' } });
  });

  it('answers auth_unconfigured without a private password file', async () => {
    const wire = await gateway.wire();
    chmodSync(file, 0o644);
    expect(await wire.ask('auth.login', { password: 'x' })).toMatchObject({ error: { code: 'auth_unconfigured' } });
    chmodSync(file, 0o600);
    writeFileSync(file, '\n');
    expect(await wire.ask('auth.login', { password: '' })).toMatchObject({ error: { code: 'auth_unconfigured' } });
  });

  it('takes a new password as soon as the file has it', async () => {
    writeFileSync(file, 'new one');
    const wire = await gateway.wire();
    expect(await wire.ask('auth.login', { password: 'new one' })).toMatchObject({ ok: true });
  });

  it('needs no login where the socket alone decides', async () => {
    const open = await startGateway();
    const reply = await (await open.wire()).ask('auth.login', { password: 'anything' });
    expect(reply.result).toEqual({ authenticated: true, required: false });
    await open.stop();
  });
});
