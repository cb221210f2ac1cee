import type { MethodName, Params, Result } from '@switchyard/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HeadlessScreen } from '../src/screen/headless-screen.js';
import { type Host, startHost } from './support/host.js';

let host: Host;
const call = <M extends MethodName>(method: M, params: Params<M>): Promise<Result<M>> =>
  host.bus.call(method, params, { address: 'local-0' });
const waitFor = (surface_id: string, pattern: string) =>
  call('terminal.wait', { surface_id, pattern, lines: 2000, timeout_ms: 15_000 });

beforeAll(async () => {
  host = await startHost();
});
afterAll(async () => host.stop());

describe('a program that paints its whole text again', () => {
  it('B7: leaves one copy of it in the scrollback after a resize', async () => {
    // Clears screen and scrollback as the agents' toolkit does, then prints everything once more.
    const paint = `for i in $(seq 60); do echo "message $i"; done; printf 'painted %s' "$n"`;
    const script = `n=0; paint() { n=$((n+1)); printf '\\033[2J\\033[3J\\033[H'; ${paint}; }
      trap paint WINCH; paint; while :; do read x; done`;
    const surface_id = await host.open(['/bin/sh', '-c', script], { cols: 60, rows: 20 });
    await waitFor(surface_id, 'painted 1');
    await call('terminal.resize', { surface_id, cols: 150, rows: 40 });
    await waitFor(surface_id, 'painted 2');
    const { text } = await call('terminal.read_text', { surface_id, scrollback: true });
    const messages = text.split('\n').filter((line) => line.startsWith('message'));
    expect(messages).toEqual(Array.from({ length: 60 }, (_, i) => `message ${i + 1}`));
  });

  it('B18: need not do so for who attaches again at the same size', async () => {
    const script = `trap 'printf "\\033[Hagain"' WINCH
      printf '\\033[?1049h\\033[Htop'; i=2; while [ $i -lt 24 ]; do printf "\\033[$i;1Hrow $i"; i=$((i+1)); done
      printf '\\033[24;70Hcorner'; while :; do read x; done`;
    const surface_id = await host.open(['/bin/sh', '-c', script], { cols: 80, rows: 24 });
    await waitFor(surface_id, 'corner');
    const shown = [];
    for (let attached = 0; attached < 2; attached++) {
      await call('terminal.resize', { surface_id, cols: 80, rows: 24 });
      const { data, cols, rows } = await call('terminal.snapshot', { surface_id });
      const events = { title() {}, cwd() {}, bell() {}, reply() {} };
      const client = new HeadlessScreen({ cols, rows, scrollback: 0, events });
      client.write(Buffer.from(data, 'base64'));
      shown.push(client.visibleText());
    }
    const rows = Array.from({ length: 22 }, (_, i) => `row ${i + 2}`);
    const whole = ['top', ...rows, `${' '.repeat(69)}corner`].join('\n');
    expect(shown).toEqual([whole, whole]);
  });
});
