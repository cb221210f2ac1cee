// Writes what the contract is, for programs and readers: contract/*.json, docs/contract.md and docs/errors.md.
//
// contract/history/VERSION.json keeps the facts that clients of a contract version build on. A fact is added freely;
// one is taken away only by raising CONTRACT_VERSION, or with --reset while the version is unreleased.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import {
  breaks,
  contractFiles,
  contractPage,
  currentSignature,
  errorsPage,
} from '../libs/protocol/dist/publish/index.js';

const root = new URL('../', import.meta.url);
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

const signature = currentSignature();
const history = new URL(`contract/history/${signature.version}.json`, root);
const broken = existsSync(history) ? breaks(JSON.parse(readFileSync(history, 'utf8')), signature) : [];
if (broken.length > 0 && !process.argv.includes('--reset')) {
  console.error(`Clients of contract ${signature.version} would break:\n  ${broken.join('\n  ')}`);
  console.error('Raise CONTRACT_VERSION and say so in CHANGELOG.md, or pass --reset if the version is unreleased.');
  process.exit(1);
}

mkdirSync(new URL('contract/history/', root), { recursive: true });
for (const [name, value] of Object.entries(contractFiles()))
  writeFileSync(new URL(`contract/${name}`, root), json(value));
writeFileSync(history, json(signature));
writeFileSync(new URL('docs/contract.md', root), contractPage());
writeFileSync(new URL('docs/errors.md', root), errorsPage());
