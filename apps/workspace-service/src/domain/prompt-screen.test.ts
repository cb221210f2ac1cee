import { describe, expect, it } from 'vitest';
import { appeared, fingerprintOf, hasLeft, lookAt } from './prompt-screen.js';

const of = (prompt: string) => (screen: string) => lookAt(screen, fingerprintOf(prompt));

describe('a prompt on a screen', () => {
  it('is found through frames, wrapping and prompt marks', () => {
    const look = of('explain why the build of the gateway fails');
    const now = look(
      '╭──────────────╮\n│ > explain why the build of │\n│   the gateway fails        │\n╰──────────────╯\n  ? for help',
    );
    expect(now.prompt).toEqual({ count: 1, fromBottom: 2 });
    expect(appeared(look('╭──╮\n│ >│\n╰──╯'), now)).toBe('prompt');
  });

  it('is told by its end where the composer shows only that', () => {
    const look = of(`${'line\n'.repeat(99)}and the very last line`);
    expect(look('│ line\n│ and the very last line').prompt).toEqual({ count: 1, fromBottom: 0 });
  });

  it.each([
    '[Pasted text #1 +99 lines]',
    '[Pasted Content 4500 chars]',
    '[Pasted ~100 lines]',
    '[Pasted Text: 100 lines]',
  ])('is told by %s in its place', (placeholder) => {
    const look = of('a\nb\nc\nlong');
    expect(appeared(look('│ >'), look(`│ > ${placeholder}`))).toBe('placeholder');
  });

  it('is new where the same text stood in the transcript already', () => {
    const look = of('run the tests');
    expect(appeared(look('> run the tests\n● Done.\n│ >'), look('> run the tests\n● Done.\n│ > run the tests'))).toBe(
      'prompt',
    );
    expect(appeared(look('> run the tests\n│ >'), look('> run the tests\n│ >'))).toBeNull();
  });

  it('has left the composer when it stands further up, or nowhere', () => {
    const look = of('run the tests');
    const composed = look('● Hello.\n│ > run the tests\n  help');
    expect(hasLeft('prompt', composed, look('● Hello.\n> run the tests\n│ >\n  help'))).toBe(true);
    expect(hasLeft('prompt', composed, look('│ >\n  help'))).toBe(true);
    expect(hasLeft('prompt', composed, look('● Hello!\n│ > run the tests\n  help'))).toBe(false);
  });

  it('is not looked for when it has hardly any letters', () => {
    expect(fingerprintOf('🎉🎉')).toBeNull();
    expect(fingerprintOf('ok')).toBeNull();
    expect(fingerprintOf('日本語のテキスト')).not.toBeNull();
  });
});
