import { Value } from 'typebox/value';
import type { Manifest } from '../domain/manifest.js';
import { ManifestSchema } from '../domain/manifest-schema.js';

/**
 * @returns the value itself
 * @throws Error that says where the value is no manifest
 */
export function checkedManifest(value: unknown): Manifest {
  if (Value.Check(ManifestSchema, value)) return value;
  const [fault] = Value.Errors(ManifestSchema, value);
  throw new Error(fault === undefined ? 'not a manifest' : `${fault.instancePath || '/'} ${fault.message}`);
}
