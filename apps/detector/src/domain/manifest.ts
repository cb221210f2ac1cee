import type { Static } from 'typebox';
import type { ManifestSchema } from './manifest-schema.js';

/** How the screens of one agent look. */
export type Manifest = Static<typeof ManifestSchema>;
export type ManifestRule = Manifest['states'][number];

export const BUCKETS = ['working', 'blocked', 'idle', 'done'] as const;
export type Bucket = (typeof BUCKETS)[number];

export const isBucket = (word: string): word is Bucket => (BUCKETS as readonly string[]).includes(word);
