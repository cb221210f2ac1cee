import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Compiled one after the other, each on top of the one before. */
const PACKAGES = ['shapes', 'geometry', 'drawing', 'editor', 'studio'];
const FILES_EACH = 12;

/**
 * Writes a small TypeScript project with references, to be built by the real compiler.
 * @returns {string[]} the command that builds it and says what it does
 */
export function writeProject(folder) {
  for (const [i, name] of PACKAGES.entries()) writePackage(folder, name, PACKAGES[i - 1]);
  const references = PACKAGES.map((path) => ({ path }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ files: [], references }));
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
  return [process.execPath, join(dirname(compiler), 'bin', 'tsc'), '-b', '--verbose', folder];
}

function writePackage(folder, name, base) {
  const home = join(folder, name);
  mkdirSync(join(home, 'src'), { recursive: true });
  const compilerOptions = {
    composite: true,
    strict: true,
    rootDir: 'src',
    outDir: 'out',
    module: 'nodenext',
    types: [],
  };
  const references = base === undefined ? [] : [{ path: `../${base}` }];
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions, references, include: ['src'] }));
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name, type: 'module' }));
  for (let n = 0; n < FILES_EACH; n++) {
    const below = base === undefined ? '' : `import { area${n} as below } from '../../${base}/out/part${n}.js';\n`;
    const sum = base === undefined ? '' : ' + below({ width, height })';
    writeFileSync(
      join(home, 'src', `part${n}.ts`),
      `${below}export interface Size { readonly width: number; readonly height: number }
export const area${n} = ({ width, height }: Size): number => width * height * ${n + 1}${sum};\n`,
    );
  }
}
