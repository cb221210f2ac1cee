import { describe, expect, it } from 'vitest';
import { summarize } from './status-summary.js';

const OID = '6c1f0e4d2b8a97530f1e2d3c4b5a69788796a5b4';
const lines = (...fields: string[]) => fields.map((field) => `${field}\0`).join('');

describe('what git status says of a checkout', () => {
  it('is the branch with its upstream', () => {
    const output = lines(
      `# branch.oid ${OID}`,
      '# branch.head fix/it',
      '# branch.upstream origin/fix/it',
      '# branch.ab +2 -13',
    );
    expect(summarize(output)).toEqual({
      branch: 'fix/it',
      detached: false,
      head: OID,
      upstream: 'origin/fix/it',
      ahead: 2,
      behind: 13,
      changed: 0,
    });
  });

  it('has no distance to an upstream that is gone', () => {
    const output = lines(`# branch.oid ${OID}`, '# branch.head main', '# branch.upstream origin/main');
    expect(summarize(output)).toMatchObject({ upstream: 'origin/main', ahead: null, behind: null });
  });

  it('tells a detached HEAD from a branch without a commit', () => {
    const detached = lines(`# branch.oid ${OID}`, '# branch.head (detached)');
    expect(summarize(detached)).toMatchObject({ branch: null, detached: true, head: OID });
    const unborn = lines('# branch.oid (initial)', '# branch.head main');
    expect(summarize(unborn)).toMatchObject({ branch: 'main', detached: false, head: null });
  });

  it('F1: counts entries whatever their names, a renamed one once', () => {
    const output = lines(
      `# branch.oid ${OID}`,
      '# branch.head main',
      '1 .M N... 100644 100644 100644 a b a b.txt',
      '2 R. N... 100644 100644 100644 a b R100 new\nname',
      '# branch.head not a header but the old name of the one above',
      'u UU N... 100644 100644 100644 100644 a b c q"uote',
      '? a -> b',
      '? ä/',
    );
    expect(summarize(output)).toMatchObject({ branch: 'main', changed: 5 });
  });

  it('is nothing known, of no output', () => {
    expect(summarize('')).toMatchObject({ branch: null, head: null, changed: 0 });
  });
});
