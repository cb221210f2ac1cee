import type { ScreenSample } from '@switchyard/agents';
import { describe, expect, it } from 'vitest';
import { BUNDLED_MANIFESTS, evaluate, readManifests } from '../src/engine.js';
import { sampleOfText, type TextFacts } from '../src/handlers/sample-text.js';

const failing = { debug: ignore, info: ignore, warn: fail, error: fail };
function ignore() {}
function fail(...told: unknown[]) {
  throw new Error(`a bundled manifest is faulty: ${JSON.stringify(told)}`);
}
const engines = (await readManifests({ bundled: BUNDLED_MANIFESTS, overrides: [] }, failing)).map(
  ({ engine }) => engine,
);
const seen = (facts: TextFacts, more: Partial<ScreenSample> = {}) =>
  evaluate(engines, { ...sampleOfText(facts), ...more });

const RULE = '─'.repeat(60);
const composer = (draft = '') => [RULE, `❯ ${draft}`, RULE, '  ⏸ manual mode on · ? for shortcuts'];
const claude = (lines: readonly string[], title = '✳ Claude Code') =>
  seen({ text: lines.join('\n'), title, process: 'claude' });

describe('questions', () => {
  it('D1: prose that asks something above an idle composer is no question', () => {
    const verdict = claude(['● Would you like to open a pull request? If yes, tell me the branch.', '', ...composer()]);
    expect(verdict).toMatchObject({ state: 'idle', question: null });
  });

  it('D1: a dialog quoted above the composer, and one typed into it, are none either', () => {
    const quoted = ['  Do you want to proceed?', '  ❯ 1. Yes', '    2. No', '  Esc to cancel', '', ...composer()];
    expect(claude(quoted)).toMatchObject({ state: 'idle', question: null });
    const draft = 'Do you want to proceed? 1. Yes 2. No (esc to cancel)';
    const lines = composer(draft);
    const cursor = { row: 1, col: draft.length + 2, visible: false };
    const verdict = seen({ text: lines.join('\n'), title: '✳ x', process: 'claude' }, { cursor });
    expect(verdict).toMatchObject({ state: 'idle', question: null });
  });

  it('D2: numbered choices with a cursor and the footer of a form are one', () => {
    const dialog = [
      RULE,
      ' This session is 21h old',
      ' ❯ 1. Continue it',
      '   2. Continue from a summary',
      '   3. Start anew',
      '',
      ' Enter to confirm · Esc to cancel',
    ];
    expect(claude(dialog)).toMatchObject({ state: 'blocked' });
  });

  it('D3: a question beats a title that says the agent rests', () => {
    const verdict = claude([
      RULE,
      ' Claude in Chrome wants to open example.com',
      '',
      ' ❯ 1. Allow',
      '   2. Deny (esc)',
    ]);
    expect(verdict).toMatchObject({ state: 'blocked', question: { kind: 'permission' } });
  });

  it.each(['claude', 'codex', 'amp', 'kimi'])('D4: the trust dialog of a first run blocks %s', (process) => {
    const text = [
      '  Do you trust the contents of this directory?',
      '',
      '  › 1. Yes, continue',
      '    2. No, quit',
      '',
      '  Press enter to continue',
    ].join('\n');
    expect(seen({ text, process })).toMatchObject({
      state: 'blocked',
      activity: 'unknown',
      question: { kind: 'trust' },
    });
  });

  it('D6: a live working line under a title that wants action is two facts', () => {
    const text = [
      '• Running cargo test',
      '',
      '• Working (12s • esc to interrupt)',
      '',
      '',
      '› Ask Codex',
      '',
      '  ? for shortcuts',
    ];
    const cursor = { row: 5, col: 2, visible: true };
    const verdict = seen(
      { text: text.join('\n'), title: '[ ! ] Action Required | demo', process: 'codex' },
      { cursor },
    );
    expect(verdict).toMatchObject({ activity: 'working', state: 'blocked' });
    expect(verdict.question).not.toBeNull();
  });

  it.each([
    ['one line', ['  ❯ queued question']],
    ['two lines', ['  ❯ queued question', '    and the rest of it']],
    ['answers in a list', ['  ❯ 1. Yes', '    2. No']],
    ['two messages', ['  ❯ first', '  ❯ second']],
  ])('a message that waits its turn above the composer is none: %s', (_, queued) => {
    const below = [RULE, '❯ Press up to edit queued messages', RULE, '  esc to interrupt · ← for agents'];
    const lines = ['● Let me walk through the parser', '', ...queued, ...below];
    const cursor = { row: queued.length + 3, col: 2, visible: false };
    for (const title of ['⠂ parser', '']) {
      const verdict = seen({ text: lines.join('\n'), title, process: 'claude' }, { cursor });
      expect(verdict, title).toMatchObject({ state: 'working', question: null });
    }
  });

  it('a list that nothing proves to be a question is unknown, never idle', () => {
    const text = ['  Alpha and beta', '', '  ❯ alpha', '    beta', '    gamma'].join('\n');
    expect(seen({ text, process: 'amp' })).toMatchObject({
      state: null,
      question: null,
      rule: 'generic/unknown-dialog',
    });
  });

  it('a list to choose a setting from leaves what was known', () => {
    const text = ['  Select a model', '', '  ❯ fast', '    clever', '', '  enter to select · esc to cancel'].join('\n');
    expect(seen({ text, process: 'amp' })).toMatchObject({ state: null, skip: true });
  });
});

describe('the peer test of screens without a frame', () => {
  const BANNER = 'Claude Code v1.0.0 (fake test agent)';
  const script = {
    pid: 1,
    pgid: 1,
    start_time: 1,
    names: ['fake', 'bash'],
    argv: ['bash', '/tmp/fake.sh'],
    hint: null,
  };
  const at = (lines: readonly string[]) => seen({ text: [BANNER, '', ...lines].join('\n') }, { foreground: script });
  const worked = ['❯ ', '✻ Thinking… (esc to interrupt)'];
  const asked = [...worked, '', 'Do you want to proceed?', '❯ 1. Yes'];

  it('is idle, working, blocked and idle again, though nothing is ever cleared', () => {
    expect(at(['❯ '])).toMatchObject({ agent: 'claude-code', recognized_via: 'screen', state: 'idle' });
    expect(at([...worked, '']).state).toBe('working');
    expect(at([...asked, '']).state).toBe('blocked');
    expect(at([...asked, '', '❯ ']).state).toBe('idle');
  });
});

describe('who it is', () => {
  const text = ['Claude Code v2.1.0', '', ...composer()].join('\n');
  const process = (name: string, argv = [name]) => ({
    foreground: { pid: 1, pgid: 1, start_time: 1, names: [name], argv, hint: null },
  });

  it('is not told from the screen where the process is known and hides nothing', () => {
    for (const name of ['cat', 'less', 'vim', 'bash', 'sleep', 'asciinema']) {
      expect(seen({ text }, process(name)).agent).toBeNull();
    }
  });

  it('is told from the screen behind programs that lead elsewhere', () => {
    for (const name of ['ssh', 'tmux: client', 'docker']) {
      expect(seen({ text }, process(name))).toMatchObject({ agent: 'claude-code', recognized_via: 'screen' });
    }
  });

  it('is not told from what was printed above the prompt of a shell, nor from a recording that is played', () => {
    const printed = ['Claude Code v2.1.0', 'Do you want to proceed?', '❯ 1. Yes', '  2. No', 'me@host:~$ '].join('\n');
    expect(seen({ text: printed }, process('tmux: client')).agent).toBeNull();
    const played = process('asciinema', ['python3', '/usr/bin/asciinema', 'play', 'x.cast']);
    expect(seen({ text }, played).agent).toBeNull();
  });

  it.each([
    ['a pager', ['❯ 1. Yes', '  2. No', ' Esc to cancel', ':']],
    ['a pager at its end', ['❯ 1. Yes', '  2. No', '(END)', '[0] 0:less*                    "demo" 20:15']],
    ['an editor', ['❯ 1. Yes', '  2. No', '~', '~', '~', '"notes.txt" 3L, 40B']],
    ['a banner and prose', ['It was told to go on, and it did.', '']],
  ])('is not told from what stands in a file that is shown behind tmux: %s', (_, lines) => {
    const shown = ['Claude Code v2.1.0', 'Do you want to proceed?', ...lines].join('\n');
    expect(seen({ text: shown }, process('tmux: client')).agent).toBeNull();
  });

  it('follows the hint before everything else', () => {
    const foreground = { ...process('limactl').foreground, hint: 'codex' };
    expect(seen({ text }, { foreground })).toMatchObject({ agent: 'codex', recognized_via: 'hint' });
  });
});
