import { describe, expect, it } from 'vitest';
import { yamlListItem } from './yaml-list.js';

const editor = yamlListItem(['plugins', 'enabled'], 'switchyard', 2);
const older = yamlListItem(['plugins', 'enabled'], 'switchyard', 1);

const TEXTS: Record<string, string> = {
  'an empty file': '',
  'other settings': 'model: big # the usual\nterminal:\n  backend: local\n',
  'no line break at the end': 'model: big',
  'a list with items': 'plugins:\n  enabled:\n    - disk-cleanup\n    # mine\n    - other\nmodel: big\n',
  'items in the column of their key': 'plugins:\n  enabled:\n  - disk-cleanup\n  disabled: []\n',
  'a list of none': 'plugins:\n  enabled: []\n  disabled:\n    - other\n',
  'no such list': 'plugins:\n    disabled:\n        - other\nmodel: big\n',
  'nothing below': 'plugins:\nmodel: big\n',
  CRLF: 'model: big\r\nplugins:\r\n  enabled:\r\n    - other\r\n',
  'a text of many lines': 'prompt: |\n  plugins:\n    enabled: []\n\n  more\nplugins:\n  enabled:\n    - other\n',
};

describe('an item of a list in a YAML file', () => {
  it.each(Object.entries(TEXTS))('comes and goes without a trace: %s', (_, text) => {
    const installed = editor.add(text);
    expect(editor.find(text)).toBe('missing');
    expect(editor.find(installed)).toBe('current');
    expect(installed.match(/- switchyard/g)).toHaveLength(1);
    expect(editor.add(installed), 'a second time changes nothing').toBe(installed);
    const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    expect(editor.remove(installed)).toBe(whole);
    expect(older.find(older.add(text))).toBe('current');
    expect(editor.find(older.add(text))).toBe('outdated');
    expect(editor.add(older.add(text))).toBe(installed);
  });

  it('is left alone where a person has it', () => {
    const text = 'plugins:\n  enabled: [other, "switchyard"]\n';
    expect(editor.find(text)).toBe('theirs');
    expect(editor.add(text)).toBe(text);
    expect(editor.remove(text)).toBe(text);
  });

  it.each(['', 'plugins:\n  enabled: []\n'])('leaves what was put beside it since: %j', (text) => {
    const changed = editor.add(text).replace(/( +)- switchyard.*\n/, (line, indent) => `${line}${indent}- other\n`);
    expect(editor.remove(changed)).toMatch(/^plugins:.*\n {2}enabled:.*\n {4}- other\n$/);
    expect(editor.remove(changed)).not.toContain('[]');
  });

  it('makes a file where there is none, which is blank without it', () => {
    const made = editor.add(null);
    expect(made.split('\n').map((line) => line.replace(/ #.*/, ''))).toEqual([
      'plugins:',
      '  enabled:',
      '    - switchyard',
      '',
    ]);
    expect(editor.isBlank(editor.remove(made))).toBe(true);
  });

  it.each([
    ['plugins:\n  enabled: [other]\n', 'plugins.enabled` is written in one line', 2],
    ['plugins: {enabled: []}\n', '`plugins` is written in one line', 1],
    ['{"plugins": {}}\n', 'no plain YAML', 1],
    ['model: big\n---\nmodel: small\n', 'no plain YAML', 2],
  ])('refuses what it does not understand, with the line: %j', (text, message, line) => {
    expect(() => editor.add(text)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message), line }),
    );
  });
});
