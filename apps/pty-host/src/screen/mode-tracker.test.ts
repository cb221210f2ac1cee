import { describe, expect, it } from 'vitest';
import { keyboardBytes, quietModeBytes, restoreBytes } from './mode-bytes.js';
import { ModeTracker } from './mode-tracker.js';

describe('ModeTracker', () => {
  it('keeps what differs from the defaults, in the order in which it was set', () => {
    const modes = new ModeTracker();
    modes.setDec([1003, 1000, 25], true);
    modes.setDec([25, 2004], false);
    expect([...modes.decModes]).toEqual([
      [1003, true],
      [1000, true],
      [25, false],
    ]);
  });

  it('turns all mouse reporting off with any of its modes, and leaves the encoding', () => {
    const modes = new ModeTracker();
    modes.setDec([1000, 1002, 1006], true);
    modes.setDec([1000], false);
    expect([...modes.decModes.keys()]).toEqual([1006]);
  });

  it('has a keyboard stack of its own on each screen', () => {
    const modes = new ModeTracker();
    modes.pushKeyboard([1]);
    modes.setDec([1049], true);
    modes.setKeyboard([5]);
    modes.pushKeyboard([3]);
    modes.setKeyboard([8, 2]);
    expect(modes.keyboardFlags).toBe(11);
    modes.setDec([1049], false);
    expect(modes.keyboardFlags).toBe(1);
    expect(modes.keyboard).toEqual({ main: [0, 1], alt: [5, 11] });
    modes.popKeyboard([9]);
    expect(modes.keyboard.main).toEqual([0]);
    expect(keyboardBytes(modes.keyboard.alt)).toBe('\x1b[=5u\x1b[>11u');
  });

  it('keeps no more levels, colours or title than a program can mean', () => {
    const modes = new ModeTracker();
    for (let i = 0; i < 1000; i++) modes.pushKeyboard([i]);
    for (let i = 0; i < 2000; i++) modes.setDec([3000 + i], true);
    modes.setTitle('x'.repeat(100_000));
    expect(modes.keyboard.main.length).toBeLessThan(50);
    expect(modes.decModes.size).toBeLessThan(300);
    expect(modes.title?.length).toBeLessThan(2000);
  });

  it('keeps colours that were set, not questions, and lets go of them', () => {
    const modes = new ModeTracker();
    modes.setColour(11, '?');
    modes.setColour(10, 'rgb:ff/00/00');
    modes.setColour(4, '1;#123456;2;?');
    expect([...modes.colours]).toEqual([
      ['10', 'rgb:ff/00/00'],
      ['4;1', '#123456'],
    ]);
    modes.resetColour(104, '');
    modes.resetColour(110, '');
    expect(modes.colours.size).toBe(0);
  });

  it('puts back what a soft reset puts back, and everything on a hard one', () => {
    const modes = new ModeTracker();
    modes.setDec([1, 6, 1003, 2004], true);
    modes.setDec([7, 25], false);
    modes.setAnsi([4], true);
    modes.setRegion([2, 5], 24);
    modes.softReset();
    expect([...modes.decModes.keys()]).toEqual([1003, 2004]);
    expect([modes.insert, modes.region]).toEqual([false, null]);
    modes.hardReset();
    expect(modes.decModes.size).toBe(0);
  });

  it('ignores a region that is none, and takes the whole screen for none', () => {
    const modes = new ModeTracker();
    modes.setRegion([5, 2], 24);
    expect(modes.region).toBeNull();
    modes.setRegion([3, 0], 24);
    expect(modes.region).toEqual({ top: 3, bottom: 24 });
    modes.setRegion([0, 0], 24);
    expect(modes.region).toBeNull();
  });
});

describe('bytes of modes', () => {
  it('never let a title end its own sequence', () => {
    const modes = new ModeTracker();
    modes.setTitle('a\x07\x1b]52;c;AAAA\x07b');
    expect(quietModeBytes(modes)).toBe('\x1b]2;a]52;c;AAAAb\x1b\\');
  });

  it('leave the alternate screen the way it was entered', () => {
    const modes = new ModeTracker();
    modes.setDec([1047], true);
    expect(restoreBytes(modes)).toContain('\x1b[?1047l');
    expect(restoreBytes(new ModeTracker())).not.toMatch(/\?1049l|\?1047l/);
  });
});
