import { describe, expect, it } from 'vitest';
import { summarizeStatus } from './status-summary.js';

const ID = 'a'.repeat(40);
const output = (...parts: string[]) => parts.map((part) => `${part}\0`).join('');

describe('summarizeStatus', () => {
  it('counts what is staged, unstaged, untracked and in conflict, a file twice when it is both', () => {
    const text = output(
      `1 M. N... 100644 100644 100644 ${ID} ${ID} a`,
      `1 MM N... 100644 100644 100644 ${ID} ${ID} b`,
      `1 .D N... 100644 100644 000000 ${ID} ${ID} c`,
      `u UU N... 100644 100644 100644 100644 ${ID} ${ID} ${ID} d`,
      '? e',
    );
    expect(summarizeStatus(text).changes).toEqual({ staged: 2, unstaged: 2, untracked: 1, conflicted: 1 });
  });

  it('F1: is not led astray by the old name of a renamed file', () => {
    const text = output(`2 R. N... 100644 100644 100644 ${ID} ${ID} R100 new`, '? old', '? other');
    expect(summarizeStatus(text).changes).toEqual({ staged: 1, unstaged: 0, untracked: 1, conflicted: 0 });
  });

  it('tells the upstream and the distance to it, where there is one', () => {
    const text = output('# branch.oid x', '# branch.head a', '# branch.upstream origin/a', '# branch.ab +2 -13');
    expect(summarizeStatus(text)).toMatchObject({ upstream: 'origin/a', ahead: 2, behind: 13 });
    expect(summarizeStatus('')).toMatchObject({ upstream: null, ahead: null, behind: null });
  });
});
