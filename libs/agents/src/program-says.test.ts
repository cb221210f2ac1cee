import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readOsc7,
  readOsc9,
  readOsc26,
  readOsc52,
  readOsc133,
  readOsc777,
  readOsc9999,
  readOsc21337,
} from './program-says.js';

describe('progress', () => {
  it('is read from OSC 9;4, with a value where the state has one', () => {
    const progress = (state: number, value: number | null) => ({ kind: 'progress', state, value });
    expect(readOsc9('4;1;35')).toEqual(progress(1, 35));
    expect(readOsc9('4;3;35')).toEqual(progress(3, null));
    expect(readOsc9('4;0')).toEqual(progress(0, null));
    expect(readOsc9('4;2')).toEqual(progress(2, null));
    expect(readOsc9('4;1;999')).toEqual(progress(1, 100));
    expect(readOsc9('4;7;1')).toBeUndefined();
    expect(readOsc9('4')).toBeUndefined();
  });
});

describe('notifications', () => {
  it('are the text of OSC 9, and title and body of OSC 777', () => {
    const told = (title: string, body: string) => ({ kind: 'notification', id: null, title, body });
    expect(readOsc9('build finished')).toEqual(told('', 'build finished'));
    expect(readOsc9('404 is the answer')).toEqual(told('', '404 is the answer'));
    expect(readOsc9('9;/home/me')).toBeUndefined();
    expect(readOsc777('notify;make;Build; needs you')).toEqual(told('make', 'Build; needs you'));
    expect(readOsc777('other;x')).toBeUndefined();
    expect(readOsc9('x'.repeat(10_000))).toMatchObject({ body: 'x'.repeat(2048) });
  });
});

describe('prompt marks', () => {
  it('are read with the exit code of the command', () => {
    const mark = (letter: string, exit_code: number | null = null) => ({ kind: 'prompt', mark: letter, exit_code });
    expect(readOsc133('A')).toEqual(mark('A'));
    expect(readOsc133('A;aid=7;cl=m')).toEqual(mark('A'));
    expect(readOsc133('D;0')).toEqual(mark('D', 0));
    expect(readOsc133('D;127;aid=7')).toEqual(mark('D', 127));
    expect(readOsc133('D')).toEqual(mark('D'));
    expect(readOsc133('P;k=i')).toBeUndefined();
    expect(readOsc133('Ax')).toBeUndefined();
  });
});

describe('the clipboard', () => {
  it('B17: is kept with a limit, and never told to a program that asks for it', () => {
    expect(readOsc52('c;SGVsbG8=')).toEqual({ kind: 'clipboard', bytes: 5, text: 'Hello' });
    expect(readOsc52(';SGVsbG8=')).toMatchObject({ text: 'Hello' });
    const large = Buffer.alloc(70_000, 'x').toString('base64');
    expect(readOsc52(`c;${large}`)).toEqual({ kind: 'clipboard', bytes: 70_000, text: null });
    for (const data of ['c;?', 'c;not base64', 'c', 'x;SGVsbG8=']) expect(readOsc52(data)).toBeUndefined();
  });
});

describe('directories', () => {
  it('are decoded, and told apart from those of other hosts', () => {
    const at = (path: string, local = true) => ({ kind: 'cwd', path, local });
    expect(readOsc7('file://demo/tmp/a%20b', 'demo')).toEqual(at('/tmp/a b'));
    expect(readOsc7('file:///tmp', 'demo')).toEqual(at('/tmp'));
    expect(readOsc7('file://Demo.example.org/tmp', 'demo')).toEqual(at('/tmp'));
    expect(readOsc7('file://localhost/tmp', 'demo')).toEqual(at('/tmp'));
    expect(readOsc7('file://server/tmp', 'demo')).toEqual(at('/tmp', false));
    expect(readOsc7('file://demo/100%', 'demo')).toEqual(at('/100%'));
    expect(readOsc7('file://demo/a%0ab', 'demo')).toBeUndefined();
    expect(readOsc7(`file://demo/${'a'.repeat(5000)}`, 'demo')).toBeUndefined();
    expect(readOsc7('/tmp', 'demo')).toBeUndefined();
  });
});

describe('the status sequences of single terminals', () => {
  it('21337: is read with its escapes, and empty values take it back', () => {
    const said = { kind: 'session', osc: 21337, agent: null, session_id: null };
    expect(readOsc21337('indicator=#ff9500;status=Working…;status-color=#ff9500')).toEqual({
      ...said,
      state: 'working',
      text: 'Working…',
    });
    expect(readOsc21337('status=waiting;indicator=#f00;detail=run rm\\; ls?')).toMatchObject({
      state: 'blocked',
      text: 'waiting: run rm; ls?',
    });
    expect(readOsc21337('indicator=;status=;status-color=')).toEqual({ ...said, state: null, text: null });
    expect(readOsc21337('web-terminal;x;y=1')).toBeUndefined();
  });

  it('26: is read under likely names', () => {
    expect(readOsc26('agent=claude;session=abc;status=working')).toMatchObject({
      agent: 'claude',
      session_id: 'abc',
      state: 'working',
    });
    expect(readOsc26('{"agent":"codex","session_id":"1","state":"needs input"}')).toMatchObject({
      agent: 'codex',
      state: 'blocked',
    });
    expect(readOsc26('whatever')).toBeUndefined();
  });

  it('9999: is JSON with a state that is known', () => {
    expect(readOsc9999('{"state":"working","prompt":"ship it","agentType":"codex"}')).toEqual({
      kind: 'session',
      osc: 9999,
      state: 'working',
      agent: 'codex',
      session_id: null,
      text: 'ship it',
    });
    expect(readOsc9999('{"state":"waiting"}')).toMatchObject({ state: 'blocked' });
    expect(readOsc9999('{"state":"frozen"}')).toBeUndefined();
    expect(readOsc9999('{"state":')).toBeUndefined();
    expect(readOsc9999('set-progress=0.5')).toBeUndefined();
  });

  it('are never a reason to fail', () => {
    const data = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.string().map((text) => `{"state":${text}`),
    );
    fc.assert(
      fc.property(data, (text) => {
        for (const read of [readOsc9, readOsc777, readOsc133, readOsc21337, readOsc26, readOsc52, readOsc9999])
          read(text);
        readOsc7(`file://h/${text}`, 'h');
      }),
    );
  });
});
