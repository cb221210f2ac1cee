import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder, readText, type SourceFile, sourceFiles } from './source-files.js';

/** A reader holds a file in mind up to about here; the median is far below. */
const LONGEST_FILE_LINES = 500;
/** `main` reads settings, builds the parts, starts them and waits for a signal. */
const LONGEST_MAIN_LINES = 40;
/** `src/wire/dialects/v2.ts` is as deep as it gets. */
const DEEPEST = 3;

const files = sourceFiles();
const shipped = files.filter(({ path }) => path.includes('/src/') && !path.endsWith('.test.ts'));
const packageOf = (path: string) => path.split('/').slice(0, 2).join('/');

/** Files that import something, besides those that may. */
function importersOf(prefix: string, allowed: string, among: readonly SourceFile[] = shipped): string[] {
  return among
    .filter(({ imports }) => imports.some((name) => name === prefix || name.startsWith(`${prefix}/`)))
    .map(({ path }) => path)
    .filter((path) => !path.startsWith(allowed));
}

describe('who may import whom', () => {
  it.each([
    ['@nats-io', 'libs/bus/'],
    ['node-pty', 'apps/pty-host/src/keeper/'],
    ['@xterm', 'apps/pty-host/src/screen/'],
    ['@photostructure/sqlite', 'libs/store/src/sqlite/'],
    ['ajv', 'libs/protocol/'],
    ['pino', 'libs/service/'],
  ])('imports %s only in %s', (library, owner) => {
    expect(importersOf(library, owner)).toEqual([]);
  });

  it('has one importer of every third-party library that touches the outside', () => {
    const openers = shipped.filter(({ text }) => /\bfrom 'node:child_process'/.test(text)).map(({ path }) => path);
    const starts = openers.filter(
      (path) => !/^(apps\/(supervisor|cli|git-service|pty-host|notifier)|libs\/testing)\//.test(path),
    );
    expect(starts, 'only these start programs').toEqual([]);
  });

  it('sends signals from one place, which checks that the process is the one that is meant', () => {
    const senders = shipped
      .filter(({ text }) => /\bprocess\.kill\(/.test(withoutComments(text)))
      .map(({ path }) => path);
    expect(senders.filter((path) => !path.startsWith('libs/testing/'))).toEqual(['libs/service/src/signal.ts']);
    // The programs that these start have not been waited for, so their number is nobody else's.
    const children = shipped.filter(({ text }) => /\b[cC]hild\.kill\(/.test(text)).map(({ path }) => path);
    expect(children.filter((path) => !/^(apps\/(cli|git-service|notifier)|libs\/testing)\//.test(path))).toEqual([]);
  });

  it('measures how long something may take on a clock that nobody sets', () => {
    const wall = /\b(\w*[dD]eadline|until|left|leftMs|timeoutMs|killAt)\b[^;\n]*\bDate\.now\(\)/;
    const wrong = shipped.filter(({ text }) => wall.test(withoutComments(text))).map(({ path }) => path);
    expect(wrong).toEqual([]);
  });

  it('keeps apps apart: what they share is a library, and only the supervisor starts them', () => {
    // The command line starts the supervisor, and plays recordings as a yard would see them, without a yard.
    // The supervisor asks the keeper to hand over.
    const allowed: Record<string, RegExp> = {
      'apps/supervisor': /^@switchyard\/pty-host\/keeper$/,
      'apps/cli': /^@switchyard\/(supervisor(\/.*)?|pty-host\/(screen|sample-watch)|detector\/(engine|main))$/,
    };
    const wrong = shipped
      .filter(({ path }) => path.startsWith('apps/'))
      .flatMap(({ path, imports }) =>
        imports
          .filter((name) => isApp(name) && !allowed[packageOf(path)]?.test(name))
          .map((name) => `${path} imports ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  it('lets no library import an app', () => {
    const libraries = shipped.filter(({ path }) => path.startsWith('libs/'));
    expect(libraries.filter(({ imports }) => imports.some(isApp)).map(({ path }) => path)).toEqual([]);
  });

  it('ships no test helper', () => {
    expect(importersOf('@switchyard/testing', 'libs/testing/')).toEqual([]);
    expect(importersOf('vitest', 'libs/testing/')).toEqual([]);
  });

  it('gives the contract no dependency but its schemas and their validator', () => {
    const wrong = shipped
      .filter(({ path }) => path.startsWith('libs/protocol/'))
      .flatMap(({ imports }) => imports)
      .filter((name) => !/^(\.|typebox(\/|$)|ajv(\/|$)|ajv-formats$|node:buffer$)/.test(name));
    expect(wrong).toEqual([]);
  });

  it('enters a package only by its name', () => {
    const wrong = files.flatMap(({ path, imports }) =>
      imports
        .filter((name) => name.startsWith('.'))
        .map((name) => relative('.', join(dirname(path), name)))
        .filter((target) => packageOf(target) !== packageOf(path))
        .map((target) => `${path} reaches into ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('writes relative imports with their extension', () => {
    const wrong = files.flatMap(({ path, imports }) =>
      imports.filter((name) => name.startsWith('.') && !/\.(js|json)$/.test(name)).map((name) => `${path}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the pure part', () => {
  const domain = shipped.filter(({ path }) => path.includes('/domain/'));

  it('exists', () => {
    expect(domain.length).toBeGreaterThan(5);
  });

  it('imports nothing that does I/O', () => {
    const pure = /^(\.|typebox(\/|$)|@switchyard\/(protocol|config|agents|bus\/broker-url)$|node:(buffer|path)$)/;
    const wrong = domain.flatMap(({ path, imports }) =>
      imports.filter((name) => !pure.test(name)).map((name) => `${path} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('starts no timer, reads no clock and no environment', () => {
    const impure = /\b(setTimeout|setInterval|setImmediate|Date\.now|performance\.now|process\.(env|cwd|pid|hrtime))\b/;
    const wrong = domain
      .filter(({ text }) => impure.test(withoutComments(text)))
      .map(({ path, text }) => `${path}: ${withoutComments(text).match(impure)?.[0]}`);
    expect(wrong).toEqual([]);
  });
});

describe('shape', () => {
  const code = [
    ...files,
    ...[...filesUnder('test'), ...filesUnder('bench'), ...filesUnder('tools')].map(asFile),
  ].filter(({ path }) => /\.(ts|mjs)$/.test(path));

  it(`keeps files under ${LONGEST_FILE_LINES} lines`, () => {
    expect(code.filter(({ text }) => lineCount(text) > LONGEST_FILE_LINES).map(({ path }) => path)).toEqual([]);
  });

  it(`keeps main.ts under ${LONGEST_MAIN_LINES} lines`, () => {
    const mains = shipped.filter(({ path }) => /(^|\/)main\.ts$/.test(path));
    expect(mains.filter(({ text }) => lineCount(text) > LONGEST_MAIN_LINES).map(({ path }) => path)).toEqual([]);
  });

  it(`keeps folders at most ${DEEPEST} deep under src`, () => {
    const depth = (path: string) => path.slice(path.indexOf('/src/') + 5).split('/').length;
    expect(files.filter(({ path }) => path.includes('/src/') && depth(path) > DEEPEST).map(({ path }) => path)).toEqual(
      [],
    );
  });

  it('names files in kebab-case', () => {
    const wrong = code.filter(
      ({ path }) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.bench)?\.(ts|mjs)$/.test(path.split('/').at(-1) ?? ''),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('leaves nothing to be done later, and no blanket export', () => {
    const later = new RegExp(
      `\\b(${['TO', 'FIX', 'XX'].map((start, i) => start + ['DO', 'ME', 'X'][i]).join('|')})\\b`,
    );
    expect(code.filter(({ text }) => later.test(text)).map(({ path }) => path)).toEqual([]);
    expect(shipped.filter(({ text }) => /^export \*/m.test(text)).map(({ path }) => path)).toEqual([]);
    expect(shipped.filter(({ text }) => /^export default\b/m.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('declares in each package what the package imports', () => {
    const wrong = files.flatMap(({ path, imports }) => {
      const manifest = JSON.parse(readText(`${packageOf(path)}/package.json`));
      const declared = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
      const test = /\.test\.ts$|\/test\//.test(path);
      return imports
        .filter((name) => !/^(\.|node:)/.test(name))
        .map((name) =>
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        )
        .filter((name) => !(name in declared) && name !== manifest.name && !test)
        .map((name) => `${path} imports ${name}`);
    });
    expect(wrong).toEqual([]);
  });
});

function isApp(name: string): boolean {
  const own = /^@switchyard\/([a-z-]+)/.exec(name)?.[1];
  return own !== undefined && APPS.has(own);
}

const APPS = new Set(filesUnder('apps').map((path) => path.split('/')[1] ?? ''));

function asFile(path: string): SourceFile {
  return { path, text: readText(path), imports: [] };
}

const lineCount = (text: string) => text.split('\n').length - 1;

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
