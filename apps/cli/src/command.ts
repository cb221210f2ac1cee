import type { Context } from './context.js';

/** `[flags, description]`, and a default or a reader where the option has one. */
export interface OptionSpec {
  readonly flags: string;
  readonly summary: string;
  /** May be given many times; the values are collected. */
  readonly many?: boolean;
  readonly choices?: readonly string[];
  readonly fallback?: string;
}

export interface CommandSpec {
  readonly name: string;
  /** Positional arguments, in the notation of the help: `<surface> [text...]`. */
  readonly args?: string;
  readonly summary: string;
  readonly details?: string;
  readonly options?: readonly OptionSpec[];
  /** Everything after the first argument belongs to another program. */
  readonly passThrough?: boolean;
  /** What its positional arguments can be completed with. */
  readonly completes?: 'methods' | 'services' | 'shells' | 'notifications';
  /** Loaded only when the command is used, so that each starts as fast as it can. */
  readonly load: () => Promise<Run>;
}

export type Options = Readonly<Record<string, string | boolean | string[] | undefined>>;

/** @returns exit code; nothing means 0 */
export type Run = (context: Context, args: readonly string[], options: Options) => Promise<number | undefined>;

/** An option that was given with a value. */
export function text(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

export function flag(options: Options, name: string): boolean {
  return options[name] === true;
}

export function list(options: Options, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value : [];
}
