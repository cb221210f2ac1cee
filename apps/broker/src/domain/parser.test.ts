import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolViolation } from './errors.js';
import { type Operations, Parser, type Published } from './parser.js';

const LIMITS = { maxControlLine: 128, maxPayload: 1000 };

/** Everything the parser says, in words. */
function recorder(): { said: string[]; to: Operations } {
  const said: string[] = [];
  const publish = ({ subject, reply, headerBytes, body }: Published) =>
    said.push(`pub ${subject} ${reply} ${headerBytes} ${body.toString('latin1')}`);
  const to: Operations = {
    connect: (options) => said.push(`connect ${options}`),
    ping: () => said.push('ping'),
    pong: () => said.push('pong'),
    subscribe: (subject, queue, sid) => said.push(`sub ${subject} ${queue} ${sid}`),
    unsubscribe: (sid, max) => said.push(`unsub ${sid} ${max}`),
    publish,
  };
  return { said, to };
}

/** What is said when the bytes come cut at the given places, up to a violation if there is one. */
function parse(bytes: Buffer, cuts: number[] = []): string[] {
  const { said, to } = recorder();
  const parser = new Parser(to, LIMITS);
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  try {
    let from = 0;
    for (const to of [...at, bytes.length]) {
      parser.push(bytes.subarray(from, to));
      from = to;
    }
  } catch (error) {
    if (!(error instanceof ProtocolViolation)) throw error;
    said.push(`violation ${error.text}`);
  }
  return said;
}

const said = (text: string) => parse(Buffer.from(text, 'latin1'));

describe('the protocol parser', () => {
  it('reads every operation', () => {
    expect(
      said(
        'CONNECT {"a":1}\r\nPING\r\npong\r\nSUB a.* 1\r\nsub a q 2\r\nUNSUB 1\r\nUNSUB 2 5\r\n' +
          'PUB a 2\r\nhi\r\nPUB a re 0\r\n\r\nHPUB h 4 6\r\nHEADhi\r\nHPUB h re 0 1\r\nx\r\n',
      ),
    ).toEqual([
      'connect {"a":1}',
      'ping',
      'pong',
      'sub a.* undefined 1',
      'sub a q 2',
      'unsub 1 undefined',
      'unsub 2 5',
      'pub a undefined 0 hi',
      'pub a re 0 ',
      'pub h undefined 4 HEADhi',
      'pub h re 0 x',
    ]);
  });

  it('takes tabs, doubled blanks and lone line feeds', () => {
    expect(said('SUB\ta  1 \nPUB  a \t 1\r\nx\r\n')).toEqual(['sub a undefined 1', 'pub a undefined 0 x']);
  });

  it('names the violation', () => {
    const cases: [string, string][] = [
      ['GET / HTTP/1.1\r\n', 'Unknown Protocol Operation'],
      ['\r\n', 'Unknown Protocol Operation'],
      ['PUB a 3\r\nabcdef\r\n', 'Unknown Protocol Operation'],
      ['PUB a 1001\r\n', 'Maximum Payload Violation'],
      ['PUB a -1\r\n', 'Parser Error'],
      ['PUB a 1e2\r\n', 'Parser Error'],
      ['PUB\r\n', 'Parser Error'],
      ['PUB 5\r\n', 'Parser Error'],
      ['PUB a b c 5\r\n', 'Parser Error'],
      ['HPUB a 7 5\r\n', 'Parser Error'],
      ['SUB a\r\n', 'Parser Error'],
      ['SUB a b c d\r\n', 'Parser Error'],
      ['UNSUB\r\n', 'Parser Error'],
      [`SUB ${'a'.repeat(200)} 1\r\n`, 'Maximum Control Line Exceeded'],
      ['x'.repeat(129), 'Maximum Control Line Exceeded'],
    ];
    for (const [text, violation] of cases) expect(said(text), text).toEqual([`violation ${violation}`]);
  });

  const operation = fc.oneof(
    fc.constantFrom('PING\r\n', 'PONG\r\n', 'SUB a.b 1\r\n', 'SUB a q 2\r\n', 'UNSUB 1 3\r\n', 'CONNECT {}\r\n'),
    fc.uint8Array({ maxLength: 300 }).map((body) => {
      const text = Buffer.from(body).toString('latin1');
      return `PUB some.subject ${text.length}\r\n${text}\r\n`;
    }),
    fc.tuple(fc.nat(20), fc.uint8Array({ maxLength: 50 })).map(([head, body]) => {
      const text = 'h'.repeat(head) + Buffer.from(body).toString('latin1');
      return `HPUB s r ${head} ${text.length}\r\n${text}\r\n`;
    }),
  );
  const script = fc.array(operation, { maxLength: 10 }).map((operations) => Buffer.from(operations.join(''), 'latin1'));
  const mutated = fc
    .tuple(script, fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 5 }))
    .map(([bytes, changes]) => {
      for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value;
      return bytes;
    });
  const noise = fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes));

  it('says the same however the bytes are cut, whether they are protocol, nearly so, or noise', () => {
    fc.assert(
      fc.property(fc.oneof(script, mutated, noise), fc.array(fc.nat(), { maxLength: 30 }), (bytes, cuts) => {
        expect(parse(Buffer.from(bytes), cuts)).toEqual(parse(bytes));
      }),
      { numRuns: 2000 },
    );
  });

  it('reads a message that comes byte by byte in linear time', () => {
    const { said: heard, to } = recorder();
    const size = 1024 * 1024;
    const parser = new Parser(to, { maxControlLine: 4096, maxPayload: size });
    const bytes = Buffer.from(`PUB a ${size}\r\n${'x'.repeat(size)}\r\n`);
    const began = performance.now();
    for (let i = 0; i < bytes.length; i++) parser.push(bytes.subarray(i, i + 1));
    expect(heard).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});
