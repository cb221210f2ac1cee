import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTRACT_VERSION } from '@switchyard/protocol';
import {
  breaks,
  contractFiles,
  contractPage,
  currentSignature,
  errorsPage,
  type Signature,
} from '@switchyard/protocol/publish';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const HISTORY = join(ROOT, 'contract', 'history');
const read = (path: string) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '');
const signatures = readdirSync(HISTORY).map((name): Signature => JSON.parse(read(`contract/history/${name}`)));
const major = (version: string) => version.split('.')[0];

describe('the published contract', () => {
  it.each(Object.entries(contractFiles()))('has contract/%s as declared (else: npm run contract)', (name, value) => {
    expect(JSON.parse(read(`contract/${name}`) || 'null')).toEqual(value);
  });

  it('has its pages as declared (else: npm run contract)', () => {
    expect(read('docs/contract.md')).toBe(contractPage());
    expect(read('docs/errors.md')).toBe(errorsPage());
  });

  it('keeps the facts of the present version on record (else: npm run contract)', () => {
    expect(JSON.parse(read(`contract/history/${CONTRACT_VERSION}.json`) || 'null')).toEqual(currentSignature());
  });
});

describe('compatibility', () => {
  it.each(signatures)('breaks no client of contract $version unless the first number rises', (old) => {
    if (major(old.version) === major(CONTRACT_VERSION)) expect(breaks(old, currentSignature())).toEqual([]);
  });

  it.each(signatures)('says in the changelog when contract $version came', ({ version }) => {
    expect(read('CHANGELOG.md')).toMatch(new RegExp(`^Contract ${version.replace('.', '\\.')}\\.$`, 'm'));
  });

  it('never goes back behind a version that is on record', () => {
    const numbers = (version: string) => version.split('.').map(Number);
    const latest = signatures.map(({ version }) => version).sort((a, b) => compare(numbers(a), numbers(b)));
    expect(latest.at(-1)).toBe(CONTRACT_VERSION);
  });
});

function compare(a: number[], b: number[]): number {
  const at = a.findIndex((part, i) => part !== b[i]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
