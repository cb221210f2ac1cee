import { Value } from 'typebox/value';
import type { Manifest } from '../domain/manifest.js';
import { ManifestSchema } from '../domain/manifest-schema.js';

/** @throws Error that says where the value is no manifest */
export function checkManifest(value: unknown): asserts value is Manifest {
  if (Value.Check(ManifestSchema, value)) return;
  const [fault] = Value.Errors(ManifestSchema, value);
  throw new Error(fault === undefined ? 'not a manifest' : `${fault.instancePath || '/'} ${fault.message}`);
}
