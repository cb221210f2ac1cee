import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkedManifest } from '../src/adapters/check-manifest.js';
import { engineOf, GENERIC } from '../src/domain/engine.js';
import { evaluate } from '../src/domain/evaluate.js';
import type { ManifestV2 } from '../src/domain/manifest.js';
import { sampleOfText } from '../src/handlers/sample-text.js';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const manifests = readdirSync(folder('../manifests')).map((name) =>
  checkedManifest(JSON.parse(readFileSync(folder(`../manifests/${name}`), 'utf8'))),
);
const generic = manifests.find(({ agent }) => agent === GENERIC) as ManifestV2;
const agents = manifests.filter(({ agent }) => agent !== GENERIC);
const engines = agents.map((manifest) => engineOf(manifest, generic));

/**
 * Screens written for these tests, in a folder for each agent. The first word of a name is what is true of it; a first
 * line that begins with `title:` is the title of the terminal.
 */
const screens = readdirSync(folder('fixtures')).flatMap((agent) =>
  readdirSync(folder(`fixtures/${agent}`)).map((name) => {
    const [state = ''] = name.split('-', 1);
    const text = readFileSync(folder(`fixtures/${agent}/${name}`), 'utf8');
    const title = /^title: (.*)\n/.exec(text)?.[1];
    return { agent, name, state, title, text: text.replace(/^title: .*\n/, '') };
  }),
);
const verdictOn = ({ agent, title, text }: { agent: string; title?: string | undefined; text: string }) =>
  evaluate(engines, sampleOfText({ text, title, process: agent }));

describe('bundled manifests', () => {
  it.each(screens.filter(({ state }) => state !== 'none'))('call $agent/$name $state', (screen) => {
    const { state } = verdictOn(screen);
    expect(state ?? 'unknown').toBe(screen.state);
  });

  it.each(screens.filter(({ state }) => state === 'none'))('know nobody on $agent/$name', ({ text }) => {
    expect(evaluate(engines, sampleOfText({ text }))).toMatchObject({ agent: null, state: null });
  });

  it('give each process name to one agent', () => {
    const names = engines.flatMap(({ processNames }) => processNames);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it.each(agents.map((manifest) => manifest as ManifestV2))('$agent say what they are held against', (manifest) => {
    expect(manifest.verified.length > 0 || (manifest.note ?? '') !== '').toBe(true);
  });
});
