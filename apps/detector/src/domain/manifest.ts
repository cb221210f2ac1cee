import type { QuestionKind } from '@switchyard/agents';
import type { Static } from 'typebox';
import type { ManifestSchema } from './manifest-schema.js';
import type { RegionName, Shape } from './screen/view.js';

/** Version 1, the peer's: patterns over the last lines (programa-api §9.1). */
export type ManifestV1 = Static<typeof ManifestSchema>;
export type RuleV1 = ManifestV1['states'][number];

export const BUCKETS = ['working', 'blocked', 'idle', 'done'] as const;
export type Bucket = (typeof BUCKETS)[number];
export const isBucket = (word: string): word is Bucket => (BUCKETS as readonly string[]).includes(word);

/** What a rule is about. Rules that speak of activity compete with each other, those of the question among themselves. */
export const SAYS = ['working', 'idle', 'unknown', 'blocked', 'no_question', 'skip'] as const;
export type Says = (typeof SAYS)[number];

/** A condition. All that is given in it must hold. */
export interface Gate {
  /** Where `contains`, `regex` and `line_regex` look; inherited by the gates inside. */
  readonly region?: RegionName;
  /** How many lines of the region. */
  readonly lines?: number;
  /** Each of these texts occurs, in any case. */
  readonly contains?: readonly string[];
  /** Each matches the region as one text, lines joined by "\n". */
  readonly regex?: readonly string[];
  /** Each matches some line. */
  readonly line_regex?: readonly string[];
  readonly shape?: Shape;
  readonly all?: readonly Gate[];
  readonly any?: readonly Gate[];
  readonly not?: readonly Gate[];
}

export interface Rule extends Gate {
  readonly id: string;
  readonly says: Says;
  /** Of a question; absent: told from its words. */
  readonly kind?: QuestionKind;
  /** Higher wins; between equals the first. */
  readonly priority: number;
  /** The state has a sign of its own, and need not be told from the absence of another: it is believed at once. */
  readonly certain?: boolean;
  readonly note?: string;
}

/** How the screens of one agent look. Data: an override of the same agent takes its place. */
export interface ManifestV2 {
  readonly $schema?: string;
  readonly version: 2;
  readonly agent: string;
  readonly display_name: string;
  /** Whether the rules are held against recordings of the program, and of which version. */
  readonly verified: readonly string[];
  readonly note?: string;
  readonly recognize: {
    readonly process_names: readonly string[];
    /** Other words by which SWITCHYARD_AGENT may name it. */
    readonly hints?: readonly string[];
    /** Any of these shows that the agent is on the screen, where its process cannot be seen. */
    readonly screen?: readonly Gate[];
  };
  /** Further shapes of a bare prompt. */
  readonly prompts?: readonly string[];
  /** It may work without a sign of it on the screen: work is over when nothing is printed any more. Default false. */
  readonly works_unmarked?: boolean;
  /** The rules for any agent apply after its own. Default true. */
  readonly generic?: boolean;
  readonly rules: readonly Rule[];
}

export type Manifest = ManifestV1 | ManifestV2;
