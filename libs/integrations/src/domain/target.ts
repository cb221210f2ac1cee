import type { FileEditor } from './editor.js';

/** What a target needs to know to write its part. */
export interface Surroundings {
  /** Folder of the agent's configuration, absolute. */
  readonly dir: string;
  /** The program that hooks start, absolute. */
  readonly launcher: string;
  /** The text of a file in the agent's folder; null: there is none. */
  readonly read: (path: string) => string | null;
  /** A file of this package that is written as it is, but for our marks. */
  readonly asset: (name: string) => string;
}

export interface FileSpec {
  /** Absolute. */
  readonly path: string;
  /** What it is for, to be read before it is written. */
  readonly reason: string;
  readonly editor: FileEditor;
  readonly executable?: boolean;
}

/** One event of an agent: its name in the configuration, and what it tells us. */
export interface TargetEvent {
  readonly event: string;
  readonly tells: string;
}

/** Switchyard in one coding agent. */
export interface Target {
  /** As on the command line and in hooks: `claude`. */
  readonly agent: string;
  readonly title: string;
  /** Rises when what is written changes; older parts are then called outdated. */
  readonly version: number;
  /** `recorded`: seen at work with real payloads. `documented`: written after the vendor's documentation, not tried. */
  readonly basis: 'recorded' | 'documented';
  /** Variable that moves the folder, and where it is otherwise, below the home folder. */
  readonly folder: { readonly env: readonly string[]; readonly home: string; readonly xdg?: string };
  readonly events: readonly TargetEvent[];
  /** What this agent does not tell. */
  readonly gaps: readonly string[];
  /** What a person has to do after an installation. */
  readonly after: readonly string[];
  files(around: Surroundings): readonly FileSpec[];
}
