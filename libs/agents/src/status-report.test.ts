import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BLOCKED_KINDS,
  encodeClear,
  encodeStatus,
  parseStatus,
  STATUS_QUERY,
  STATUS_STATES,
  type StatusReport,
} from './status-report.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const none = { id: '', kind: null, progress: null, app: null, title: null, msg: null };
const reported = (data: string) => {
  const message = parseStatus(data);
  return message.is === 'report' ? message.report : message;
};
const dataOf = (sequence: string) => sequence.slice('\x1b]7501;'.length, -'\x1b\\'.length);

describe('a status report', () => {
  it('is read as real agents send it', () => {
    const data = 'state=blocked:app=claude-code:kind=permission:msg=YXBwcm92ZSBCYXNoOiB0b3VjaCBoZWxsby50eHQ=';
    const msg = 'approve Bash: touch hello.txt';
    expect(reported(data)).toEqual({ ...none, state: 'blocked', app: 'claude-code', kind: 'permission', msg });
    expect(reported('state=idle')).toEqual({ ...none, state: 'idle' });
    expect(parseStatus('?')).toEqual({ is: 'query' });
    expect(STATUS_QUERY).toBe('\x1b]7501;?\x1b\\');
  });

  it('skips malformed pairs and ignores unknown keys; of a repeated key the last one counts', () => {
    expect(reported('junk::=:State=x:state=idle:x$=1:title=a b:future=1:state=working:progress=5:progress=7')).toEqual({
      ...none,
      state: 'working',
      progress: 7,
    });
    expect(reported('state=working:state=!')).toMatchObject({ state: 'working' });
    expect(reported(`state=idle:${'k'.repeat(17)}=1`)).toMatchObject({ state: 'idle' });
  });

  it('is refused without a state or with one that is not known', () => {
    for (const data of ['', 'app=x', 'state=', 'state=paused', 'state=idle:state=paused', '??']) {
      expect(parseStatus(data)).toEqual({ is: 'refused', why: 'state' });
    }
  });

  it('has a kind only when blocked, progress only when working or blocked', () => {
    expect(reported('state=working:kind=auth:progress=0')).toMatchObject({ kind: null, progress: 0 });
    expect(reported('state=blocked:kind=auth:progress=100')).toMatchObject({ kind: 'auth', progress: 100 });
    expect(reported('state=done:progress=100')).toMatchObject({ progress: null });
    for (const progress of ['101', '-1', '1.5', '', '007']) {
      expect(reported(`state=working:progress=${progress}`)).toMatchObject({ progress: null });
    }
    expect(reported('state=blocked:kind=other')).toMatchObject({ kind: null });
  });

  it('has ids of up to 8 levels, 32 bytes each and 128 in all, and is refused with any other', () => {
    const long = `${'a'.repeat(32)}/${'b'.repeat(32)}/${'c'.repeat(32)}/${'d'.repeat(29)}`;
    for (const id of ['build', 'a/b/c/d/e/f/g/h', 'A.b_c+d-e/1', long]) {
      expect(reported(`state=idle:id=${id}`)).toMatchObject({ id });
    }
    for (const id of [
      '',
      '/',
      'a/',
      '/a',
      'a//b',
      'a/b/c/d/e/f/g/h/i',
      'a'.repeat(33),
      `${long}x`,
      'a,b',
      'a=b',
      'a b',
      'ä',
    ]) {
      expect(parseStatus(`state=idle:id=${id}`)).toEqual({ is: 'refused', why: 'id' });
      expect(parseStatus(`state=clear:id=${id}`)).toEqual({ is: 'refused', why: 'id' });
    }
  });

  it('is refused whole for bad base64, text that is no UTF-8, and control characters', () => {
    for (const value of ['a', 'ab', 'abc', 'a=bc', 'YQ=', 'YQ', base64('a\nb'), base64('a\x1bb'), base64('\x9b1m')]) {
      expect(parseStatus(`state=idle:title=${value}`)).toEqual({ is: 'refused', why: 'title' });
      expect(parseStatus(`state=clear:msg=${value}`)).toEqual({ is: 'refused', why: 'msg' });
    }
    expect(parseStatus(`state=idle:msg=${Buffer.from([0xc3, 0x28]).toString('base64')}`)).toMatchObject({ why: 'msg' });
    expect(reported('state=idle:title=:msg=')).toEqual({ ...none, state: 'idle' });
  });

  it('is refused whole above a limit', () => {
    const limits = { title: 192, msg: 2048 };
    for (const [key, bytes] of Object.entries(limits)) {
      expect(reported(`state=idle:${key}=${base64('x'.repeat(bytes))}`)).toMatchObject({ [key]: 'x'.repeat(bytes) });
      const over = `state=idle:${key}=${base64('x'.repeat(bytes + 1))}`;
      expect(parseStatus(over)).toEqual({ is: 'refused', why: key });
    }
    expect(parseStatus(`state=idle:app=${'a'.repeat(33)}`)).toEqual({ is: 'refused', why: 'app' });
    const filled = (length: number) => `state=idle:${'x'.repeat(length - 'state=idle:'.length)}`;
    expect(parseStatus(filled(4088)).is).toBe('report');
    expect(parseStatus(filled(4089))).toEqual({ is: 'refused', why: 'length' });
    expect(parseStatus(`state=idle:${'€'.repeat(1400)}`)).toEqual({ is: 'refused', why: 'length' });
  });
});

const segment = fc.stringMatching(/^[A-Za-z0-9_.+-]{1,15}$/);
const line = (bytes: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    .filter(
      (text) => !/\p{Cc}/u.test(text) && Buffer.from(text).toString() === text && Buffer.byteLength(text) <= bytes,
    );
const draft: fc.Arbitrary<StatusReport> = fc
  .oneof(
    fc.record({ state: fc.constant('blocked' as const), kind: fc.option(fc.constantFrom(...BLOCKED_KINDS)) }),
    fc.record({ state: fc.constantFrom(...STATUS_STATES), kind: fc.constant(null) }),
  )
  .chain((base) =>
    fc.record({
      ...Object.fromEntries(Object.entries(base).map(([key, value]) => [key, fc.constant(value)])),
      id: fc.array(segment, { maxLength: 8 }).map((segments) => segments.join('/')),
      progress:
        base.state === 'working' || base.state === 'blocked'
          ? fc.option(fc.integer({ min: 0, max: 100 }))
          : fc.constant(null),
      app: fc.option(segment),
      title: fc.option(line(192)),
      msg: fc.option(line(2048)),
    }),
  ) as fc.Arbitrary<StatusReport>;

describe('writing a report', () => {
  it('gives what is read as the same report', () => {
    fc.assert(
      fc.property(draft, (report) => {
        expect(reported(dataOf(encodeStatus(report)))).toEqual(report);
      }),
    );
  });

  it('never throws on reading, and keeps only what the protocol allows', () => {
    const pair = fc.tuple(fc.constantFrom('state', 'id', 'app', 'title', 'msg', 'kind', 'progress', 'x'), fc.string());
    const pairs = fc.array(pair).map((list) => list.map(([key, value]) => `${key}=${value}`).join(':'));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          pairs,
          pairs.map((text) => `state=working:${text}`),
        ),
        (data) => {
          const message = parseStatus(data);
          if (message.is === 'report') encodeStatus(message.report);
          if (message.is === 'clear') encodeClear(message.id);
        },
      ),
    );
  });

  it('refuses what would not be read', () => {
    expect(() => encodeStatus({ state: 'working', kind: 'auth' })).toThrow(/kind/);
    expect(() => encodeStatus({ state: 'done', progress: 5 })).toThrow(/progress/);
    expect(() => encodeStatus({ state: 'working', progress: 101 })).toThrow(/progress/);
    expect(() => encodeStatus({ state: 'idle', id: 'a//b' })).toThrow(/id/);
    expect(() => encodeStatus({ state: 'idle', app: 'my app' })).toThrow(/app/);
    expect(() => encodeStatus({ state: 'idle', title: 'x'.repeat(193) })).toThrow(/title/);
    expect(() => encodeStatus({ state: 'idle', msg: 'two\nlines' })).toThrow(/msg/);
    expect(() => encodeClear('a b')).toThrow(RangeError);
    expect(encodeClear()).toBe('\x1b]7501;state=clear\x1b\\');
  });
});
