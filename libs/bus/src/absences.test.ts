import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Absences } from './absences.js';

const PAUSE_MS = 250;

describe('Absences', () => {
  let probed: string[] = [];
  let absences: Absences;
  beforeEach(() => {
    vi.useFakeTimers();
    probed = [];
    absences = new Absences((target) => probed.push(target), PAUSE_MS);
  });
  afterEach(() => vi.useRealTimers());

  it('tries an absent target once after each pause, however often it is reported absent', () => {
    absences.begin('a');
    absences.begin('a');
    vi.advanceTimersByTime(PAUSE_MS);
    expect(probed).toEqual(['a']);
    absences.watch('a', '1', () => undefined);
    absences.goOn('a');
    absences.goOn('a');
    vi.advanceTimersByTime(PAUSE_MS);
    expect(probed).toEqual(['a', 'a']);
  });

  it('takes silence after a try for success', () => {
    let silences = 0;
    absences.begin('a');
    absences.watch('a', '1', () => silences++);
    expect(absences.isWatched('a', '1')).toBe(true);
    vi.advanceTimersByTime(PAUSE_MS);
    expect(silences).toBe(1);
    expect(absences.end('a')).toBe('1');
    expect(absences.has('a')).toBe(false);
  });

  it('keeps targets apart and no timer once they are back', () => {
    absences.begin('a');
    absences.begin('b');
    absences.end('a');
    vi.advanceTimersByTime(PAUSE_MS);
    expect(probed).toEqual(['b']);
    absences.clear();
    expect(vi.getTimerCount()).toBe(0);
  });
});
