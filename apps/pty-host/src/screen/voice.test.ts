import { describe, expect, it } from 'vitest';
import { HeadlessScreen } from './headless-screen.js';
import { sampleScreen } from './sample-screen.js';

function terminal(): { screen: HeadlessScreen; replies: string[]; print(text: string): void } {
  const replies: string[] = [];
  const events = { title() {}, cwd() {}, bell() {}, reply: (text: string) => replies.push(text) };
  const screen = new HeadlessScreen({ cols: 20, rows: 4, scrollback: 100, events, now: () => 1000 });
  return { screen, replies, print: (text) => screen.write(Buffer.from(text)) };
}

describe('what programs say to their terminal', () => {
  it('is answered when it is a question, in the order of the questions', () => {
    const { replies, print } = terminal();
    print('\x1b]7501;?\x1b\\\x1b[c\x1b]11;?\x07\x1b[?u\x1b[>q\x1b[6n');
    expect(replies).toEqual([
      '\x1b]7501;?\x1b\\',
      '\x1b[?1;2c',
      '\x1b]11;rgb:0000/0000/0000\x1b\\',
      '\x1b[?0u',
      '\x1bP>|Switchyard\x1b\\',
      '\x1b[1;1R',
    ]);
  });

  it('B16: is answered in one piece each, with what holds at that moment', () => {
    const { replies, print } = terminal();
    for (const part of ['\x1b]11;', '#1e1e2e\x1b\\\x1b]1', '1;?\x1b', '\\', '\x1b[>5u\x1b[?', 'u']) print(part);
    expect(replies).toEqual(['\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\', '\x1b[?5u']);
  });

  it('is kept with its time, over changes of the screen, until a full reset', () => {
    const { screen, print } = terminal();
    print('\x1b]7501;state=work');
    print('ing:progress=5\x07\x1b]9;4;1;5\x07');
    print('\x1b[?1049h\x1b[!p\x1b[?1049l\x1b[2J');
    expect(screen.voice.records.root).toMatchObject({ state: 'working', progress: 5, at: 1000 });
    expect(screen.voice.progress).toEqual({ state: 1, value: 5 });
    expect(screen.visibleText()).toBe('');
    print('\x1bc');
    expect([screen.voice.records.size, screen.voice.progress]).toEqual([0, null]);
  });

  it('does not name a directory of another machine', () => {
    const { screen, print } = terminal();
    print('\x1b]7;file:///tmp\x07\x1b]7;file://far-away.example/etc\x07');
    expect(screen.cwd).toBe('/tmp');
    expect(screen.voice.evidence).toMatchObject([{ kind: 'cwd', path: '/etc', local: false }]);
  });
});

describe('a sample', () => {
  const facts = { surface_id: 'S', offset: 7, at: 5, foreground: null };

  it('has all visible rows, without what scrolled away and without blanks at their ends', () => {
    const { screen, print } = terminal();
    print('gone\r\none\r\ntwo   \r\n');
    print(`${'x'.repeat(25)}\x1b]2;name\x07\x1b[?25l`);
    expect(sampleScreen(screen, facts)).toEqual({
      ...facts,
      rev: screen.rev,
      cols: 20,
      rows: 4,
      lines: ['one', 'two', 'x'.repeat(20), 'x'.repeat(5)],
      wrapped: [false, false, false, true],
      cursor: { row: 3, col: 5, visible: false },
      alternate: false,
      title: 'name',
      progress: null,
    });
  });

  it('has the alternate screen when that is shown, and says when a frame is half painted', () => {
    const { screen, print } = terminal();
    print('main\x1b[?1049h\x1b[Hother\x1b[?2026h');
    expect(sampleScreen(screen, facts)).toMatchObject({ alternate: true, lines: ['other', '', '', ''] });
    expect(sampleScreen(screen, facts)).not.toHaveProperty('wrapped');
    expect(screen.painting).toBe(true);
    print('\x1b[?2026l');
    expect(screen.painting).toBe(false);
  });
});
