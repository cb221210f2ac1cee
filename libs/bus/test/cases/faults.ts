import { connect } from '@nats-io/transport-node';
import { processFacts, waitFor, within } from '@switchyard/testing';
import { expect, it } from 'vitest';
import { failed, type Scene, there } from '../support/scene.js';

const MiB = 1024 * 1024;
const write = { surface_id: 'S', data: '' };
const wait = { surface_id: 'S', timeout_ms: 60_000, lines: 1 };

/** Processes die at the worst moment; every call still ends rightly. */
export function faultCases(scene: Scene): void {
  it('sends queries and waits again when their service was killed with them', async () => {
    const client = await scene.bus();
    const hang = ['terminal.get', 'terminal.wait'];
    const first = await scene.responder({ run: 1, hang });
    const calls = [client.callNamed('terminal.get', {}, there), client.callNamed('terminal.wait', wait, there)];
    for (const method of hang) await first.says(`has ${method}`);
    await first.kill();
    await scene.responder({ run: 2 });
    expect(await Promise.all(calls)).toEqual([{ run: 2 }, { waited: true, offset: 2 }]);
  });

  it('says outcome_unknown for a mutation whose service was killed with it, and does not run it again', async () => {
    const client = await scene.bus();
    const first = await scene.responder({ run: 1, hang: ['terminal.write'] });
    const call = failed(client.callNamed('terminal.write', write, there));
    await first.says('has terminal.write');
    await first.kill();
    const second = await scene.responder({ run: 2 });
    expect(await call).toBe('outcome_unknown');
    expect(second.said).toEqual(['ready']);
  });

  it('sends a mutation with a request_id again', async () => {
    const client = await scene.bus();
    const first = await scene.responder({ run: 1, hang: ['terminal.write'] });
    const call = client.callNamed('terminal.write', write, { ...there, requestId: ' once\n' });
    await first.says('has terminal.write');
    await first.kill();
    await scene.responder({ run: 2 });
    expect(await call).toEqual({ bytes: 2, offset: 0 });
  });

  it('a reply whose sender dies after two pieces is fetched again, never taken as whole', async () => {
    const client = await scene.bus();
    const dying = await scene.responder({ dieAfterTwoPieces: true });
    const call = client.callNamed('terminal.read_output', {}, there);
    await dying.exited();
    await scene.responder({ run: 2 });
    expect(((await call) as { data: string }).data.length).toBe(10 * MiB);
  });

  it('and is an error when nobody comes to send it again', async () => {
    const client = await scene.bus({ restartGraceMs: 200 });
    const dying = await scene.responder({ dieAfterTwoPieces: true });
    const call = failed(client.callNamed('terminal.read_output', {}, there));
    await dying.exited();
    expect(await within(12_000, 'an error', call)).toBe('service_unavailable');
  });

  it('keeps calls in flight over a restart of the broker, and runs none of them twice', async () => {
    const service = await scene.bus({ service: 'pty-host' });
    const client = await scene.bus();
    const runs = { write: 0, wait: 0 };
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await scene.serve(service, {
      'terminal.write': () => held.then(() => ({ bytes: ++runs.write, offset: 0 })),
      'terminal.wait': () => held.then(() => ({ waited: true, offset: ++runs.wait })),
    });
    const calls = [client.callNamed('terminal.write', write, there), client.callNamed('terminal.wait', wait, there)];
    await waitFor('the calls to be there', async () => {
      await client.flush();
      await service.flush();
      return true;
    });
    await scene.broker.kill();
    await waitFor('both to notice', () => !service.connected && !client.connected);
    // The results come while nobody can be told: they must be kept.
    release();
    await scene.broker.start();
    expect(await Promise.all(calls)).toEqual([
      { bytes: 1, offset: 0 },
      { waited: true, offset: 1 },
    ]);
    expect(runs).toEqual({ write: 1, wait: 1 });
  });

  it('sends a mutation that the broker took to its grave to the service that never saw it', async () => {
    const service = await scene.bus({ service: 'pty-host' });
    const client = await scene.bus();
    let runs = 0;
    await scene.serve(service, { 'terminal.write': () => ({ bytes: ++runs, offset: 0 }) });
    await client.callNamed('terminal.write', write, there);
    // Not younger than the call by less than a message takes: that would leave open whether it could have seen it.
    for (let i = 0; i < 50; i++) await client.flush();
    // Stopped first, so that it takes the request from the socket and can do nothing with it.
    process.kill(scene.broker.pid, 'SIGSTOP');
    const call = client.callNamed('terminal.write', write, there);
    await scene.broker.kill();
    await scene.broker.start();
    expect(await call).toEqual({ bytes: 2, offset: 0 });
    expect(runs).toBe(2);
  });

  it('G1, G2: the bus is away for longer than the grace: calls fail as unavailable, then all return by themselves', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    scene.later(() => process.off('unhandledRejection', note));
    const service = await scene.bus({ service: 'pty-host' });
    const client = await scene.bus({ restartGraceMs: 1000 });
    let back = 0;
    service.onReconnect(() => back++);
    client.onReconnect(() => back++);
    await scene.serve(service, {
      'terminal.get': () => ({ here: true }),
      'terminal.wait': () => new Promise(() => undefined),
    });
    await client.callNamed('terminal.get', {}, there);
    const inFlight = [
      client.callNamed('terminal.wait', wait, there),
      client.callNamed('terminal.wait', wait, { ...there, timeoutMs: 500 }),
    ].map(failed);
    await client.flush();
    await scene.broker.kill();
    await waitFor('both to notice', () => !service.connected && !client.connected);
    const meanwhile = failed(client.callNamed('terminal.write', write, there));
    for (let i = 0; i < 1000; i++) client.publish('terminal.output', { surface_id: 'S', offset: i, rev: i });
    await expect(client.flush()).rejects.toThrow();
    expect(await Promise.all([...inFlight, meanwhile])).toEqual([
      'service_unavailable',
      'timeout',
      'service_unavailable',
    ]);
    await scene.broker.start();
    await waitFor('both to be back', () => back === 2);
    expect(await client.callNamed('terminal.get', {}, there)).toEqual({ here: true });
    expect(unhandled).toEqual([]);
  });

  it('G4: a service whose handler blocks gets no more than it can take, and late calls are not started', async () => {
    const blocked = await scene.responder({ run: 1, blockMs: 100 });
    const client = await scene.bus();
    const options = { ...there, timeoutMs: 1500 };
    const params = { surface_id: 'S', pad: 'x'.repeat(10_000) };
    const outcomes = await Promise.all(
      Array.from({ length: 1000 }, () => failed(client.callNamed('terminal.get', params, options))),
    );
    const answered = outcomes.filter((outcome) => typeof outcome === 'object').length;
    expect(outcomes.filter((outcome) => outcome === 'timeout').length).toBe(1000 - answered);
    expect(answered).toBeGreaterThan(3);
    // Cancelled ones do not stand in the way of the next.
    expect(await within(5000, 'the next call', client.callNamed('terminal.get', {}, there))).toEqual({ run: 1 });
    expect(blocked.said.filter((line) => line === 'did terminal.get').length).toBeLessThan(60);
  });

  it('G5: a service that stops reading events delays nobody and is let in again', async () => {
    const stopped = await scene.responder({ run: 1, listen: true });
    const reader = await scene.bus();
    let heard = 0;
    reader.subscribe('terminal.title_changed', () => heard++);
    await reader.flush();
    const publisher = await scene.bus({ service: 'pty-host' });
    const memory = () => (processFacts(scene.broker.pid)?.rssBytes ?? 0) / MiB;
    const before = memory();
    stopped.signal('SIGSTOP');
    const title = 'x'.repeat(256 * 1024);
    for (let i = 0; i < 400; i++) {
      publisher.publish('terminal.output', { surface_id: title, offset: i, rev: i });
      publisher.publish('terminal.title_changed', { surface_id: 'S', title: String(i) });
      await publisher.flush();
    }
    await waitFor('the reader to have heard everything', () => heard === 400);
    expect(memory() - before).toBeLessThan(200);
    stopped.signal('SIGCONT');
    const client = await scene.bus();
    expect(await client.callNamed('terminal.get', {}, { ...there, timeoutMs: 20_000 })).toEqual({ run: 1 });
  });

  it('a wrong token is said once in the log, and tried on: the right one may come', async () => {
    const { url, token } = scene.broker;
    await expect(connect({ servers: url, token: 'wrong', reconnect: false })).rejects.toThrow(/[Aa]uthorization/);
    const giveUp = new AbortController();
    const late = failed(scene.bus({ token: 'wrong', signal: giveUp.signal }));
    await waitFor('a line in the log', () => scene.logged.some(({ message }) => message.includes('cannot be reached')));
    giveUp.abort();
    expect(await late).toBe('ABORT_ERR');
    expect(JSON.stringify(scene.logged)).not.toContain(token);
  });
}
