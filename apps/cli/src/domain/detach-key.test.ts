import { describe, expect, it } from 'vitest';
import { detachByte, splitAtDetach } from './detach-key.js';

describe('the detach key', () => {
  it('is named as people name control keys', () => {
    expect([detachByte(), detachByte('ctrl-]'), detachByte('^]'), detachByte('Ctrl+A')]).toEqual([0x1d, 0x1d, 0x1d, 1]);
    expect([detachByte('x'), detachByte('ctrl-1'), detachByte('ctrl-ab')]).toEqual([undefined, undefined, undefined]);
  });

  it('ends the input that goes to the program', () => {
    const { input, detach } = splitAtDetach(Buffer.from('ls\r\x1dnever'), 0x1d);
    expect([input.toString(), detach]).toEqual(['ls\r', true]);
    expect(splitAtDetach(Buffer.from('ls'), 0x1d).detach).toBe(false);
  });
});
