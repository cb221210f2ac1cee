import { describe, expect, it } from 'vitest';
import { ProgramSignals } from './program-signals.js';

describe('what a program asks its terminal to tell', () => {
  it('is a notification in three dialects, or a write to the clipboard, and nothing else', () => {
    const signals = new ProgramSignals();
    expect(signals.read(9, 'done')).toMatchObject({ kind: 'notification', title: '', body: 'done' });
    expect(signals.read(777, 'notify;Build;green; all')).toMatchObject({ title: 'Build', body: 'green; all' });
    expect(signals.read(99, ';Hello')).toMatchObject({ title: 'Hello', body: '' });
    expect(signals.read(52, 'c;SGVsbG8=')).toEqual({ kind: 'clipboard', bytes: 5, text: 'Hello' });
    for (const [osc, data] of [
      [9, '4;1;50'],
      [9, ''],
      [52, 'c;?'],
      [777, 'precmd'],
      [0, 'a title'],
    ] as const) {
      expect(signals.read(osc, data)).toBeUndefined();
    }
  });

  it('goes on with half a notification where another has left off', () => {
    const before = new ProgramSignals();
    expect(before.read(99, 'i=1:d=0;Needs ')).toBeUndefined();
    const after = new ProgramSignals();
    after.load(JSON.parse(JSON.stringify(before.save())));
    expect(after.read(99, 'i=1:d=1;you')).toMatchObject({ title: 'Needs you' });
    after.load(before.save());
    after.reset();
    expect(after.read(99, 'i=1;you')).toMatchObject({ title: 'you' });
  });
});
