// Writes the JSON Schemas of the agent manifests, for editors and readers: apps/detector/manifest*.schema.json.
import { writeFileSync } from 'node:fs';
import { ManifestSchema } from '../apps/detector/dist/domain/manifest-schema.js';
import { ManifestSchema2 } from '../apps/detector/dist/domain/manifest-schema-2.js';

for (const [name, schema] of [
  ['manifest.schema.json', ManifestSchema],
  ['manifest-2.schema.json', ManifestSchema2],
]) {
  writeFileSync(new URL(`../apps/detector/${name}`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
}
