import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useYard } from './use-yard.js';

const yard = useYard();
const DIALOG = 'Do you want to run this command?\n\n  rm -rf build\n\n❯ 1. Yes\n  2. No\n';

it('lists the manifests that there are, and which of them are tried', async () => {
  const { code, stdout } = await yard().cli('agent-detection', 'list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^claude-code +2 +bundled/m);
});

it('explains a saved screen: the verdict, then every rule with what it looked at', async () => {
  const file = join(yard().dir, 'screen.txt');
  writeFileSync(file, DIALOG);
  const { code, stdout } = await yard().cli('agent-detection', 'explain', '--file', file, '--process', 'claude');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Claude Code \(claude-code\), known by its process: blocked, by /);
  expect(stdout).toMatch(/^won .* says blocked .*\n +│ /m);
});

it('explains a terminal', async () => {
  const client = await yard().client();
  const { surface_ref } = await client.call('surface.create', { argv: ['/bin/cat'] });
  const { code, stdout } = await yard().cli('agent-detection', 'explain', surface_ref);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('no agent is known there') });
});
