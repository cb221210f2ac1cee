import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ALARMS, contract, SERVICES } from '@switchyard/protocol';
import { describe, expect, it } from 'vitest';
import { filesUnder, ROOT, readText } from './source-files.js';

const pages = filesUnder('.').filter((path) => path.endsWith('.md'));
const manifests = ['package.json', ...filesUnder('libs'), ...filesUnder('apps')].filter((path) =>
  /(^|\/)package\.json$/.test(path),
);

/** First cells of the rows of all tables of a page, in order. */
function firstCells(page: string): string[] {
  const rows = readText(page)
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const cells = rows.map((row) => row.split('|')[1]?.trim() ?? '');
  return cells.filter((cell, i) => !/^-+$/.test(cell) && !/^\| -+/.test(rows[i + 1] ?? ''));
}

describe('links', () => {
  it.each(pages)('%s links only to files that exist', (page) => {
    const targets = [...readText(page).matchAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g)].map((match) => match[1] ?? '');
    const broken = targets
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => !existsSync(join(ROOT, dirname(page), target)));
    expect(broken).toEqual([]);
  });
});

describe('the glossary', () => {
  const words = firstCells('docs/glossary.md');

  it('gives each word one meaning', () => {
    expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([]);
  });

  it('knows every namespace of the contract and every kind of process', () => {
    const namespaces = new Set(Object.keys(contract).map((method) => method.split('.')[0] ?? ''));
    const missing = [...namespaces, ...SERVICES, 'keeper', 'broker', 'fleet-broker'].filter(
      (word) => !words.includes(word),
    );
    expect(missing).toEqual([]);
  });
});

describe('docs/operations.md', () => {
  it('says of every alarm when it is raised', () => {
    const cells = firstCells('docs/operations.md');
    expect(ALARMS.filter((alarm) => !cells.includes(`\`${alarm}\``))).toEqual([]);
  });
});

describe('docs/dependencies.md', () => {
  it('names exactly the third-party packages that are declared', () => {
    const declared = new Set(
      manifests.flatMap((path) => {
        const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readText(path));
        return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
      }),
    );
    const third = [...declared].filter((name) => !name.startsWith('@switchyard/')).sort();
    expect(firstCells('docs/dependencies.md').sort()).toEqual(third);
  });

  it('is honest that what ships has exact versions', () => {
    const loose = manifests.flatMap((path) =>
      Object.entries<string>(JSON.parse(readText(path)).dependencies ?? {})
        .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        .map(([name, version]) => `${path}: ${name} ${version}`),
    );
    expect(loose).toEqual([]);
  });

  it('keeps registry addresses out of the lock file', () => {
    expect(readText('package-lock.json')).not.toContain('"resolved": "http');
  });
});

describe('scripts', () => {
  it('explains in CONTRIBUTING.md every script there is', () => {
    const scripts = Object.keys(JSON.parse(readText('package.json')).scripts);
    const page = readText('CONTRIBUTING.md');
    const spelled = (script: string) =>
      script === 'test' || script === 'start' ? `npm ${script}` : `npm run ${script}`;
    expect(scripts.filter((script) => !page.includes(`\`${spelled(script)}\``))).toEqual([]);
  });
});

describe('decisions', () => {
  it('are numbered without a gap or a repeat, and titled with their number', () => {
    const files = filesUnder('docs/adr').filter((path) => path.endsWith('.md'));
    const numbers = files.map((path) => Number(path.split('/').at(-1)?.slice(0, 4)));
    expect(numbers).toEqual(files.map((_, i) => i + 1));
    const wrong = files.filter((path, i) => !readText(path).startsWith(`# ${i + 1}. `));
    expect(wrong).toEqual([]);
  });
});
