import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { BrokenConfig } from '../domain/broken-config.js';
import { tomlBlock, tomlFlag } from './toml-parts.js';

const block = tomlBlock('[[hooks]]\nevent = "Stop"\ncommand = "sy"', 1);
const older = tomlBlock('[[hooks]]\nevent = "Stop"', 0);
const flag = tomlFlag('features', 'hooks', 1);

const TEXTS: Record<string, string> = {
  empty: '',
  plain: 'model = "x" # mine\n\n[other]\na = 1\n',
  'no line break at the end': '[other]\na = 1',
  CRLF: 'model = "x"\r\n[other]\r\na = 1\r\n',
  'a long string with headers in it':
    'text = """\n[features]\nhooks = true\n# >>> switchyard 1 >>>\n"""\nlist = [\n  "[x]", # ]\n]\n',
  'a long list': 'a = [\n  1,\n  [2, 3],\n]\n[[hooks]]\nevent = "Stop"\ncommand = "mine"\n',
};

describe('a block at the end of a TOML file', () => {
  it.each(Object.entries(TEXTS))('comes and goes without a trace: %s', (_, text) => {
    const installed = block.add(text);
    expect([block.find(text), block.find(installed), block.find(older.add(text))]).toEqual([
      'missing',
      'current',
      'outdated',
    ]);
    expect(parse(installed)['hooks']).toContainEqual({ event: 'Stop', command: 'sy' });
    expect(block.add(installed)).toBe(installed);
    expect(block.add(older.add(text))).toBe(installed);
    expect(block.remove(installed)).toBe(text);
  });

  it('leaves what has come behind it', () => {
    expect(block.remove(`${block.add('a = 1\n')}[late]\nb = 2\n`)).toBe('a = 1\n[late]\nb = 2\n');
  });

  it('refuses what it would break, with the line', () => {
    expect(() => block.add('a = [1,\n')).toThrow(BrokenConfig);
    expect(() => block.add('a = 1\nb = = 2\n')).toThrow(expect.objectContaining({ line: 2 }));
    expect(() => block.add('hooks = []\n')).toThrow(BrokenConfig);
  });
});

describe('a switch in a TOML file', () => {
  const WITH_TABLE = [
    '[features]\nother = true\n\n[x]\na = 1\n',
    '[features] # mine',
    '  [ features ]\r\nother = 1\r\n',
  ];
  it.each([...Object.values(TEXTS), ...WITH_TABLE])('comes and goes without a trace: %j', (text) => {
    const installed = flag.add(text);
    expect((parse(installed)['features'] as { hooks: boolean }).hooks).toBe(true);
    expect([flag.find(text), flag.find(installed)]).toEqual(['missing', 'current']);
    expect(flag.add(installed)).toBe(installed);
    expect(flag.remove(installed)).toBe(text);
  });

  it('is not needed where a person has it on', () => {
    const text = '[features]\nhooks = true\n';
    expect(flag.find(text)).toBe('theirs');
    expect(flag.add(text)).toBe(text);
    expect(flag.remove(text)).toBe(text);
  });

  it('is not forced on a person who has it off, nor on a table in another form', () => {
    expect(() => flag.add('[features]\nhooks = false\n')).toThrow('features.hooks is not true there');
    expect(flag.remarks?.('[features]\nhooks = false\n')).toEqual(['features.hooks is false: the agent runs no hooks']);
    expect(() => flag.add('features = { other = true }\n')).toThrow('by hand');
    expect(() => flag.add('features.other = true\n')).toThrow('by hand');
  });

  it('keeps its table when a person has put something into it', () => {
    const changed = `${flag.add('a = 1\n')}mine = true\n`;
    expect(parse(flag.remove(changed))).toEqual({ a: 1, features: { mine: true } });
  });
});
