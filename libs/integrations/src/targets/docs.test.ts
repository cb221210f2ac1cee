import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Target } from '../domain/target.js';
import { TARGETS } from './index.js';

const page = readFileSync(new URL('../../../../docs/integrations.md', import.meta.url), 'utf8');

/** The row of an agent, as the page has it. */
function rowOf({ agent, title, basis, folder, events, gaps, files }: Target): string {
  const dir = `~/${folder.home}`;
  const paths = files({ dir, launcher: '/sy', read: () => null, asset: () => '' }).map(({ path }) => `\`${path}\``);
  const told = events.map(({ event, tells }) => `\`${event}\`: ${tells}`);
  const cells = [`\`${agent}\` (${title})`, basis, paths.join(', '), told.join('; '), gaps.join('; ')];
  return `| ${cells.join(' | ')} |`;
}

it.each(TARGETS.map((target) => [target.agent, target] as const))(
  'docs/integrations.md tells the truth about %s',
  (_, target) => {
    expect(page).toContain(rowOf(target));
  },
);

it('docs/integrations.md names no other', () => {
  const rows = [...page.matchAll(/^\| `([a-z]+)` \(/gm)].map((match) => match[1]);
  expect(rows).toEqual(TARGETS.map(({ agent }) => agent));
});
