import { describe, expect, it, vi } from 'vitest';
import { compilePattern } from './domain/pattern.js';
import { PatternSearch } from './pattern-search.js';
import { HeadlessScreen } from './screen/headless-screen.js';
import { Waits } from './waits.js';

const events = { title() {}, cwd() {}, bell() {}, reply() {} };
const search = new PatternSearch();

function setup() {
  const screen = new HeadlessScreen({ cols: 40, rows: 5, scrollback: 1000, events });
  const waits = new Waits(search);
  let offset = 0;
  const print = (text: string) => {
    screen.write(Buffer.from(text));
    offset += text.length;
    waits.parsed(screen, offset);
  };
  const wait = (source: string, { timeoutMs = 10_000, signal = new AbortController().signal, lines = 2000 } = {}) => {
    const pattern = compilePattern(source) ?? expect.fail(`not a pattern: ${source}`);
    const request = { pattern: { pattern, source, lines }, timeoutMs, leftMs: timeoutMs, signal };
    return waits.forPattern(screen, offset, request);
  };
  return { screen, waits, print, wait };
}

describe('a wait for a pattern', () => {
  it('answers what is there without waiting', async () => {
    const { print, wait } = setup();
    print('the prompt> ');
    expect(await wait('prompt> $')).toEqual({ waited: false, match: 'prompt> ', offset: 12 });
  });

  it('answers in the same turn in which the text is parsed', async () => {
    const { print, wait } = setup();
    const waiting = wait('n.edle');
    print('hay\r\nneedle\r\n');
    expect(await waiting).toMatchObject({ waited: true, match: 'needle' });
  });

  it('finds text that has scrolled away in the meantime', async () => {
    const { print, wait } = setup();
    const waiting = wait('needle', { lines: 3 });
    print(`needle${'\r\nhay'.repeat(500)}`);
    expect(await waiting).toMatchObject({ match: 'needle' });
  });

  it('looks at the screen only where the text that was printed may have brought it', async () => {
    const { screen, waits, wait } = setup();
    const waiting = wait('needle');
    const look = vi.spyOn(screen, 'textSinceMark');
    const added = (text: string) => {
      screen.write(Buffer.from(text));
      waits.parsed(screen, text.length, text);
    };
    added('hay\r\n'.repeat(100));
    expect(look).not.toHaveBeenCalled();
    added('hay and needle\r\n');
    expect(look).toHaveBeenCalledOnce();
    expect(await waiting).toMatchObject({ waited: true, match: 'needle' });
  });

  it('sees a line that is drawn over and a row of the alternate screen', async () => {
    const { print, wait } = setup();
    print(`${'x\r\n'.repeat(20)}`);
    const over = wait('100%');
    print('50%\r100%');
    expect(await over).toMatchObject({ match: '100%' });
    const alternate = wait('menu');
    print('\x1b[?1049h\x1b[3;3Hmenu');
    expect(await alternate).toMatchObject({ match: 'menu' });
  });

  it('holds an anchored pattern against the whole text once output has settled', async () => {
    const { print, wait } = setup();
    print('first\r\n');
    const waiting = wait('^first[\\s\\S]*last');
    print('last');
    expect(await waiting).toMatchObject({ match: 'first\nlast' });
  });

  it('does not take the start of what changed for the start of the text', async () => {
    const { print, wait } = setup();
    print('first\r\n'.repeat(20));
    const waiting = wait('^second', { timeoutMs: 100 });
    print('second\r\n'.repeat(20));
    await expect(waiting).rejects.toMatchObject({ code: 'timeout' });
  });

  it('ends with its deadline, its caller, or its surface', async () => {
    const { waits, wait } = setup();
    const caller = new AbortController();
    const outcomes = [
      expect(wait('x', { timeoutMs: 5 })).rejects.toMatchObject({ code: 'timeout', data: { timeout_ms: 5 } }),
      expect(wait('x', { signal: caller.signal })).rejects.toMatchObject({ code: 'cancelled' }),
      expect(wait('x', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' }),
    ];
    caller.abort();
    await Promise.all(outcomes);
    const closed = expect(wait('x')).rejects.toThrow('gone');
    waits.close(new Error('gone'));
    await closed;
    expect(waits.watching).toBe(false);
  });

  it('ends alone when its pattern takes too long', async () => {
    const { print, wait } = setup();
    const bad = expect(wait('(a+)+x')).rejects.toMatchObject({ code: 'invalid_params', data: { pattern: '(a+)+x' } });
    const good = wait('b$');
    print(`${'a'.repeat(38)}b`);
    expect(await good).toMatchObject({ match: 'b' });
    await bad;
    await expect(wait('(a+)+x')).rejects.toMatchObject({ code: 'invalid_params' });
  });
});

describe('a wait for the exit', () => {
  it('answers with the exit and leaves patterns alone', async () => {
    const { waits, wait } = setup();
    const exit = { exit_code: 0, signal: null, offset: 5, at: 1 };
    const signal = new AbortController().signal;
    const waiting = waits.forExit({ timeoutMs: 1000, leftMs: 1000, signal });
    const pattern = wait('x', { timeoutMs: 20 });
    waits.exited(exit);
    expect(await waiting).toEqual({ waited: true, exit, offset: 5 });
    await expect(pattern).rejects.toMatchObject({ code: 'timeout' });
  });
});
