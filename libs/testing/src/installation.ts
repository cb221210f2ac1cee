import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const OURS = '@switchyard';

/**
 * A second installation of the compiled Switchyard: copies of our packages that say another version, and links to
 * everybody else's.
 *
 * @param folder does not exist yet
 */
export function copyInstallation(folder: string, version: string): void {
  const own = join(folder, 'node_modules', OURS);
  mkdirSync(own, { recursive: true });
  for (const kind of ['apps', 'libs']) {
    for (const name of readdirSync(join(ROOT, kind))) copyPackage(join(kind, name), folder, version);
  }
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    const link = join(folder, 'node_modules', name);
    if (name !== OURS && !name.startsWith('.') && !existsSync(link))
      symlinkSync(join(ROOT, 'node_modules', name), link);
  }
}

function copyPackage(path: string, folder: string, version: string): void {
  const target = join(folder, path);
  const manifest = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')) as { name: string };
  for (const part of readdirSync(join(ROOT, path))) {
    if (['src', 'test', 'node_modules'].includes(part)) continue;
    cpSync(join(ROOT, path, part), join(target, part), { recursive: true });
  }
  writeFileSync(join(target, 'package.json'), JSON.stringify({ ...manifest, version }));
  symlinkSync(target, join(folder, 'node_modules', manifest.name));
}
