import { describe, expect, it } from 'vitest';
import { parseIndex, parseStatus } from './status-entries.js';

const ID = 'a1b2c3d4'.repeat(5);
const entries = (...all: string[]) => `${all.join('\0')}\0`;

describe('parseStatus', () => {
  it('tells staged from unstaged changes, and what is missing on disk', () => {
    const { changes } = parseStatus(
      entries(
        `1 M. N... 100644 100644 100644 ${ID} ${ID} staged`,
        `1 .M N... 100644 100644 100644 ${ID} ${ID} changed`,
        `1 .D N... 100644 100644 000000 ${ID} ${ID} gone`,
        `1 .A N... 000000 000000 100644 ${ID} ${ID} announced`,
      ),
    );
    expect(changes.map(({ path, staged, unstaged, missing }) => [path, staged, unstaged, missing])).toEqual([
      ['staged', true, false, false],
      ['changed', false, true, false],
      ['gone', false, true, true],
      ['announced', true, true, false],
    ]);
  });

  it('F1: keeps blanks, quotes, arrows and newlines in names', () => {
    const name = 'a b -> "c"\nd';
    const { changes, untracked, ignored } = parseStatus(
      entries(`1 .M N... 100644 100644 100644 ${ID} ${ID} ${name}`, `? ${name}`, `! ${name}/`),
    );
    expect([changes[0]?.path, untracked, ignored]).toEqual([name, [name], [`${name}/`]]);
  });

  it('knows conflicts and submodules', () => {
    const { changes } = parseStatus(
      entries(
        `u UU N... 100644 100644 100644 100644 ${ID} ${ID} ${ID} both`,
        `1 .M SCM. 160000 160000 160000 ${ID} ${ID} sub`,
      ),
    );
    expect(changes).toMatchObject([
      { path: 'both', conflicted: true, missing: false },
      { path: 'sub', submodule: 'CM' },
    ]);
  });

  it('fails on an entry it does not know rather than overlook it', () => {
    expect(() => parseStatus(entries('9 something new'))).toThrow('unknown kind');
  });
});

it('parseIndex reads modes, stages and the files that git does not look at', () => {
  const output = entries(
    `H 100644 ${ID} 0\ta\tb`,
    `h 100644 ${ID} 0\tassumed`,
    `S 100644 ${ID} 0\tskipped`,
    `M 100644 ${ID} 2\tboth`,
  );
  expect(parseIndex(output).map(({ path, stage, hidden }) => [path, stage, hidden])).toEqual([
    ['a\tb', 0, false],
    ['assumed', 0, true],
    ['skipped', 0, true],
    ['both', 2, false],
  ]);
});
