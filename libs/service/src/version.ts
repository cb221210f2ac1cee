import { readFileSync } from 'node:fs';

let version: string | undefined;

/** Version of the installation that this process runs from; all packages of a release share it. */
export function ownVersion(): string {
  const manifest = () => readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  version ??= (JSON.parse(manifest()) as { version: string }).version;
  return version;
}
