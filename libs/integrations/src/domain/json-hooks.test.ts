import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BrokenConfig } from './broken-config.js';
import { jsonHooks } from './json-hooks.js';
import { hookCommand } from './launcher.js';

const command = (event: string, version = 1) =>
  hookCommand('/home/ada/share/switchyard/bin/sy', 'claude', event, version);
const entriesOf = (version: number) =>
  ['SessionStart', 'Stop'].map((event) => ({
    event,
    entry: { hooks: [{ type: 'command', command: command(event, version) }] },
  }));
const editor = jsonHooks({ entries: entriesOf(1), switches: [{ path: ['disableAllHooks'], off: true }] });
const older = jsonHooks({ entries: entriesOf(0) });

const TEXTS: Record<string, string> = {
  'two spaces': '{\n  "theme": "dark",\n  "n": [1, 2]\n}\n',
  'tabs and no line break at the end': '{\n\t"theme": "dark"\n}',
  CRLF: '{\r\n  "theme": "dark"\r\n}\r\n',
  'one line': '{"theme":"dark","n":[1,2]}',
  'one line with blanks': '{ "theme": "dark", "n": 1 }',
  'a byte order mark': '\ufeff{\n  "theme": "dark"\n}\n',
  comments:
    '// mine\n{\n  // about the theme\n  "theme": "dark", // dark\n  "n": 1 // last\n  /* end */\n}\n// after\n',
  'commas at the end': '{\n  "theme": "dark",\n  "hooks": {\n    "Stop": [\n      { "hooks": [] },\n    ],\n  },\n}\n',
  'hooks of somebody else':
    '{\n    "hooks": {\n        "Stop": [\n            {\n                "hooks": [{ "type": "command", "command": "say done" }]\n            }\n        ],\n        "PreToolUse": []\n    },\n    "x": "\\u00e9 \\\\ \\" }"\n}\n',
  'lists in one line': '{\n  "hooks": { "Stop": [{ "hooks": [] }], "Other": [] }\n}\n',
  'odd blanks': '{  "a" :1 ,\n\n\n   "hooks"  :  {  "Stop" :[  {"hooks":[ ]}  ]  }\n,"z":0}\n\n\n',
  'the key twice': '{\n  "hooks": { "Stop": [{ "hooks": [] }] },\n  "hooks": { "Stop": [{ "hooks": [1] }] }\n}\n',
};

describe('hooks in a JSON file', () => {
  it.each(Object.entries(TEXTS))('come and go without a trace: %s', (_, text) => {
    const installed = editor.add(text);
    expect(editor.find(text)).toBe('missing');
    expect(editor.find(installed)).toBe('current');
    expect(installed).toContain(command('Stop'));
    expect(editor.add(installed), 'a second time changes nothing').toBe(installed);
    expect(editor.remove(installed, text)).toBe(text);
  });

  it.each([
    ['under a name of our own', 'switchyard'],
    ['at the top of the file', null],
  ])('come and go without a trace %s', (_, place) => {
    const elsewhere = jsonHooks({ entries: entriesOf(1), place });
    for (const text of [...Object.values(TEXTS), '{ "Stop": [{ "command": "say done" }], "switchyard": {} }']) {
      const installed = elsewhere.add(text);
      expect(elsewhere.find(text)).toBe('missing');
      expect(elsewhere.find(installed)).toBe('current');
      expect(elsewhere.remove(installed, text)).toBe(text);
    }
    const made = JSON.parse(elsewhere.add(null));
    expect(Object.keys(place === null ? made : made[place])).toEqual(['SessionStart', 'Stop']);
  });

  it.each(Object.entries(TEXTS))('take the place of an older version: %s', (_, text) => {
    const before = older.add(text);
    expect(editor.find(before)).toBe('outdated');
    expect(editor.add(before)).toBe(editor.add(text));
  });

  it('leave what a person wrote in between, also in our own group', () => {
    const installed = editor.add('{\n  "theme": "dark"\n}\n');
    const own = `"command": ${JSON.stringify(command('Stop'))}\n          }`;
    const changed = installed
      .replace('"dark"', '"light"')
      .replace(own, `${own},\n          { "type": "command", "command": "say done" }`);
    expect(changed).not.toBe(installed);
    const left = JSON.parse(editor.remove(changed));
    expect(left).toEqual({ theme: 'light', hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] } });
  });

  it('make a file where there is none, which is blank without them', () => {
    const made = editor.add(null);
    expect(JSON.parse(made).hooks.Stop).toHaveLength(1);
    expect(made.endsWith('}\n')).toBe(true);
    expect(editor.isBlank(editor.remove(made))).toBe(true);
    expect(editor.find(editor.add(' \n'))).toBe('current');
  });

  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{ "a": [1, 2 }', 1],
    ['{ "a": tru }', 1],
    ['{ "a": "open\n" }', 1],
    ['{} {}', 1],
    ['[1]', null],
    ['{ "hooks": [] }', null],
    ['{ "hooks": { "Stop": {} } }', null],
    ['{ /* open', 1],
    ['{ "a": '.repeat(200), 1],
  ])('refuse a broken file: %s', (text, line) => {
    const refusal = (() => {
      try {
        return editor.add(text);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(BrokenConfig);
    expect(refusal).toMatchObject({ line });
  });

  it('tell when a person has switched all hooks off', () => {
    expect(editor.remarks?.('{ "disableAllHooks": true }')).toEqual([
      'disableAllHooks is true: the agent runs no hooks',
    ]);
    expect(editor.remarks?.('{ "disableAllHooks": false }')).toEqual([]);
  });

  it('never change what a file means otherwise, nor a byte of it', () => {
    const hooks = fc.dictionary(
      fc.constantFrom('Stop', 'Other'),
      fc.array(fc.record({ hooks: fc.array(fc.string()) })),
    );
    const config = fc
      .dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
      .chain((rest) =>
        fc.option(hooks).map((given): Record<string, unknown> => (given === null ? rest : { ...rest, hooks: given })),
      );
    fc.assert(
      fc.property(config, fc.constantFrom(undefined, 1, 2, 4, '\t'), fc.boolean(), (value, indent, crlf) => {
        const { __proto__: _, ...plain } = value;
        if ('hooks' in plain && (typeof plain['hooks'] !== 'object' || Array.isArray(plain['hooks']))) return;
        const pretty = JSON.stringify(plain, null, indent);
        const text = crlf ? pretty.replaceAll('\n', '\r\n') : pretty;
        const installed = editor.add(text);
        expect(editor.remove(installed, text)).toBe(text);
        const { hooks: after, ...others } = JSON.parse(installed);
        const { hooks: before = {}, ...same } = JSON.parse(text);
        expect(others).toEqual(same);
        for (const [event, list] of Object.entries(before as Record<string, unknown[]>)) {
          expect(after[event].slice(0, list.length)).toEqual(list);
        }
      }),
      { numRuns: 300 },
    );
  });
});
