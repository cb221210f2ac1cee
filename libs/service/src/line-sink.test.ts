import { expect, it } from 'vitest';
import { LineSink } from './line-sink.js';

function disk() {
  const state = { text: '', room: 0 };
  const writeTo = (_fd: number, bytes: Buffer) => {
    const taken = Math.min(state.room, bytes.length);
    if (taken === 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    state.room -= taken;
    state.text += bytes.subarray(0, taken).toString();
    return taken;
  };
  return { state, sink: new LineSink(1, { writeTo, lostLine: (lines) => `${lines} lost\n` }) };
}

it('a line that a full disk takes in part is whole, and in its place, once there is room', () => {
  const { state, sink } = disk();
  state.room = 4;
  sink.write('first line\n');
  sink.write('second\n');
  expect(state.text).toBe('firs');
  state.room = 1000;
  sink.write('third\n');
  expect(state.text).toBe('first line\nsecond\nthird\n');
});

it('lines beyond the bound are counted, and the count stands where they are missing', () => {
  const { state, sink } = disk();
  const line = `${'x'.repeat(1023)}\n`;
  for (let n = 0; n < 300; n++) sink.write(line);
  state.room = 1e6;
  sink.write('after\n');
  const lines = state.text.split('\n').slice(0, -1);
  const kept = lines.filter((text) => text.startsWith('x')).length;
  // The one that found the disk full is held beside the bound; `after` came while lines were missing.
  expect(kept).toBe(257);
  expect(lines.at(-1)).toBe(`${300 + 1 - kept} lost`);
  sink.write('next\n');
  expect(state.text.endsWith('lost\nnext\n')).toBe(true);
});

it('a reader that is gone costs nothing', () => {
  const sink = new LineSink(1, {
    writeTo: () => {
      throw Object.assign(new Error('broken pipe'), { code: 'EPIPE' });
    },
    lostLine: () => '',
  });
  expect(() => sink.write('said to nobody\n')).not.toThrow();
});
