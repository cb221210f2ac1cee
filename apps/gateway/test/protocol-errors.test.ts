import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway, type Wire } from './harness.js';

const PING = '"method":"system.ping"';

describe('what the gateway answers to a line it cannot serve', () => {
  let gateway: TestGateway;
  let wire: Wire;
  beforeAll(async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    gateway = await startGateway(
      { request_limit_bytes: 1024 * 1024, reply_limit_bytes: 64 * 1024 },
      {
        'workspace.list': () => cyclic as never,
        'window.list': () => ({ windows: 'x'.repeat(70_000) }) as never,
        'pane.list': () => {
          throw new Error('a bug with /secret/path');
        },
      },
    );
    wire = await gateway.wire();
  });
  afterAll(() => gateway.stop());

  const cases: [string, string, string, unknown][] = [
    ['a line that is no JSON object', 'ping', 'v1_removed', null],
    ['a JSON array', '[1,2]', 'v1_removed', null],
    ['malformed JSON', '{"id" 7}', 'parse_error', undefined],
    ['malformed JSON after a readable id', '{"id":7,"method":', 'parse_error', 7],
    ['params that are an array', `{"id":1,${PING},"params":[]}`, 'invalid_request', 1],
    ['params that are a string', `{"id":2,${PING},"params":"x"}`, 'invalid_request', 2],
    ['params that are null', `{"id":"s",${PING},"params":null}`, 'invalid_request', 's'],
    ['no method', '{"id":3}', 'invalid_request', 3],
    ['a blank method', '{"id":4,"method":"  "}', 'invalid_request', 4],
    ['a method that is a number', '{"id":5,"method":5}', 'invalid_request', 5],
    ['a method that does not exist', '{"id":6,"method":"system.fly"}', 'method_not_found', 6],
    ['a method between our own processes', '{"id":8,"method":"terminal.list"}', 'method_not_found', 8],
    ['a name of the object prototype', '{"id":9,"method":"constructor"}', 'method_not_found', 9],
    ['an unknown parameter', `{"id":10,${PING},"params":{"loud":1}}`, 'invalid_params', 10],
    ['a missing parameter', '{"id":11,"method":"window.focus"}', 'invalid_params', 11],
    ['a result that has no JSON form', '{"id":12,"method":"workspace.list"}', 'encode_error', 12],
    ['a result above the limit', '{"id":13,"method":"window.list"}', 'response_too_large', 13],
    [
      'a method whose service is away',
      '{"id":14,"method":"worktree.list","params":{"repo":"/"}}',
      'service_unavailable',
      14,
    ],
  ];
  it.each(cases)('%s: %s → %s', async (_what, line, code, id) => {
    const reply = await wire.send(line).read();
    expect(reply).toMatchObject({ ok: false, error: { code } });
    expect(reply.id).toEqual(id);
    expect(await wire.ask('system.ping')).toEqual({ id: 'ask', ok: true, result: { pong: true } });
  });

  it('answers any id as it came, and null where there is none', async () => {
    for (const id of ['0', '-1.50', '12345678901234567890', '"ü\\n"', 'null', 'true', '[1,{"a":2}]', '{"b":[]}']) {
      expect(await wire.send(`{"id":${id},${PING}}`).readText()).toContain(`"id":${id},`);
    }
    expect(await wire.send(`{${PING}}`).read()).toMatchObject({ id: null, ok: true });
  });

  it('speaks JSON-RPC 2.0 to a request that does', async () => {
    expect(await wire.send({ jsonrpc: '2.0', id: 1, method: 'system.ping' }).read()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { pong: true },
    });
    const unknown = await wire.send({ jsonrpc: '2.0', id: 2, method: 'no.such' }).read();
    expect(unknown).toMatchObject({ jsonrpc: '2.0', id: 2, error: { code: -32_601 } });
    wire.send({ jsonrpc: '2.0', method: 'system.ping' }, { id: 3, method: 'system.ping' });
    expect(await wire.read()).toMatchObject({ id: 3 });
  });

  it('trims the method and ignores blank lines', async () => {
    wire.send('', '   ', '\r', '{"id":1,"method":" system.ping "}');
    expect(await wire.read()).toMatchObject({ id: 1, ok: true });
  });

  it('hides what went wrong inside, and logs it under an id that the reply names', async () => {
    const { error } = await wire.ask('pane.list');
    expect(error.code).toBe('internal_error');
    expect(error.message).not.toMatch(/secret|bug/);
    const line = gateway.logged.find((entry) => error.message.includes(String(entry['log_id'])));
    expect(JSON.stringify(line)).toContain('/secret/path');
  });

  it('logs one line for each request, without parameters', async () => {
    await wire.ask('system.ping');
    const [line] = gateway.logged.slice(-1);
    expect(line).toMatchObject({ id: '"ask"', method: 'system.ping', caller: 'client-1', outcome: 'ok' });
    expect(line?.['ms']).toBeTypeOf('number');
  });

  it('invalid UTF-8 is answered, then the connection ends', async () => {
    const other = await gateway.wire();
    other.send({ id: 1, method: 'system.ping' }, Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]));
    expect(await other.read()).toMatchObject({ id: 1, ok: true });
    expect(await other.read()).toMatchObject({ id: null, ok: false, error: { code: 'invalid_utf8' } });
    await other.ended;
  });
});

describe('C12: odd input', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  it('C12: a request of 900 KB that comes one byte at a time', async () => {
    const wire = await gateway.wire();
    const line = Buffer.from(
      `${JSON.stringify({ id: 'slow', method: 'system.ping', params: { x: 'y'.repeat(900_000) } })}\n`,
    );
    for (let i = 0; i < line.length; i++) {
      if (!wire.socket.write(line.subarray(i, i + 1)))
        await new Promise((resolve) => wire.socket.once('drain', resolve));
    }
    expect(await wire.read()).toMatchObject({ id: 'slow', ok: false, error: { code: 'invalid_params' } });
    expect(await wire.ask('system.ping')).toMatchObject({ ok: true });
  });

  it('C12: a line of 70 MB is refused, and the client can write it to its end and read the answer', async () => {
    const wire = await gateway.wire();
    const before = process.memoryUsage().arrayBuffers;
    wire.send({ id: 1, method: 'system.ping' }, Buffer.alloc(70 * 1024 * 1024, 'x'));
    expect(await wire.read()).toMatchObject({ id: 1, ok: true });
    const refusal = await wire.read();
    expect(refusal).toMatchObject({ ok: false, error: { code: 'payload_too_large' } });
    expect(refusal).not.toHaveProperty('id');
    await wire.ended;
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('C12: a NUL, two objects on one line, a lone surrogate, CRLF: each is answered and the connection lives', async () => {
    const wire = await gateway.wire();
    expect(await wire.send(`{"id":1,${PING}\0}`).read()).toMatchObject({ ok: false, error: { code: 'parse_error' } });
    expect(await wire.send(`{"id":2,${PING}}{"id":3,${PING}}`).read()).toMatchObject({
      error: { code: 'parse_error' },
    });
    expect(await wire.send(`{"id":"\\ud800",${PING}}`).readText()).toBe(
      '{"id":"\\ud800","ok":true,"result":{"pong":true}}',
    );
    expect(await wire.send(`{"id":4,${PING}}\r`).read()).toMatchObject({ id: 4, ok: true });
    expect(await wire.ask('system.ping')).toMatchObject({ ok: true });
  });

  it('C12: a request cut off by the end of the stream is answered, as is a whole one without its line feed', async () => {
    const cut = await gateway.wire();
    cut.socket.end('{"id":1');
    expect(await cut.read()).toMatchObject({ ok: false, error: { code: 'parse_error' } });
    await cut.ended;
    const whole = await gateway.wire();
    whole.socket.end(`{"id":1,${PING}}`);
    expect(await whole.read()).toMatchObject({ id: 1, ok: true });
    await whole.ended;
  });
});
