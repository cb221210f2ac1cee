import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compile, evaluate, recognize } from '../src/domain/evaluate.js';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const engine = compile(JSON.parse(readFileSync(file('../manifests/claude-code.json'), 'utf8')));
/** Screens written for these tests; the first word of a name is what is true of it. */
const screens = readdirSync(file('fixtures/claude-code')).map((name) => {
  const [state = ''] = name.split('-', 1);
  const title = name.slice(state.length + 1, -'.txt'.length).replaceAll('-', ' ');
  return { state, title, text: readFileSync(file(`fixtures/claude-code/${name}`), 'utf8') };
});

describe('the bundled claude-code manifest', () => {
  it.each(screens.filter(({ state }) => state !== 'none'))('calls "$title" $state', ({ state, text }) => {
    expect(evaluate(engine, text)?.bucket).toBe(state);
  });

  it.each(screens.filter(({ state }) => state === 'none'))('knows nothing of "$title"', ({ text }) => {
    expect(recognize([engine], text)).toBeNull();
    expect(evaluate(engine, text)).toBeNull();
  });

  it('claims no rule to be verified without a witness', () => {
    expect(engine.manifest.states.map(({ confidence }) => confidence)).not.toContain('verified');
  });
});
