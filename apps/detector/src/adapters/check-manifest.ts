import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { faultsIn } from '../domain/compile.js';
import type { Manifest, ManifestV1, ManifestV2 } from '../domain/manifest.js';
import { ManifestSchema } from '../domain/manifest-schema.js';
import { ManifestSchema2 } from '../domain/manifest-schema-2.js';

/**
 * @returns the value itself
 * @throws Error that says where the value is no manifest
 */
export function checkedManifest(value: unknown): Manifest {
  const version = (value as { version?: unknown } | null)?.version;
  if (version !== 2) return checked<ManifestV1>(ManifestSchema, value);
  const manifest = checked<ManifestV2>(ManifestSchema2, value);
  const [fault] = faultsIn(manifest);
  if (fault !== undefined) throw new Error(fault);
  return manifest;
}

function checked<T>(schema: TSchema, value: unknown): T {
  if (Value.Check(schema, value)) return value as T;
  const faults = [...Value.Errors(schema, value)];
  const fault = faults.find(({ keyword }) => keyword !== 'boolean') ?? faults[0];
  throw new Error(fault === undefined ? 'not a manifest' : `${fault.instancePath || '/'} ${fault.message}`);
}
