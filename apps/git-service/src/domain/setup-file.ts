import { parseJsonWithComments } from './json-with-comments.js';

/** Where a repository says what is to be done in a new worktree, below its main checkout. */
export const SETUP_FILE = '.switchyard/worktree.json';

/** What is to be done in a new worktree. */
export interface SetupPlan {
  /** Patterns of files that git does not keep, as git's own `:(glob)` ones, below the main checkout. */
  readonly copy: readonly string[];
  /** Command lines, each run when the one before has succeeded. */
  readonly run: readonly string[];
}

export type ParsedSetup = { readonly plan: SetupPlan } | { readonly problem: string };

const MEMBERS = ['copy', 'run'];

/** Reads the setup file. What it does not know it refuses: a misspelt member would silently do nothing. */
export function parseSetup(text: string): ParsedSetup {
  let value: unknown;
  try {
    value = parseJsonWithComments(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'it must be an object with `copy` and `run`' };
  }
  const unknown = Object.keys(value).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) return { problem: `\`${unknown}\` is not known; there are \`copy\` and \`run\`` };
  const { copy = [], run = [] } = value as Record<string, unknown>;
  if (!isTexts(copy)) return { problem: '`copy` must be a list of patterns' };
  if (!isTexts(run)) return { problem: '`run` must be a list of command lines' };
  const outside = copy.find((pattern) => pattern.startsWith('/') || pattern.split('/').includes('..'));
  if (outside !== undefined) return { problem: `the pattern \`${outside}\` leads out of the repository` };
  return { plan: { copy, run } };
}

/** The program of the terminal that runs the commands: shows each, and ends with the first that fails. */
export function setupProgram(run: readonly string[]): string[] {
  return ['/bin/sh', '-exc', run.join('\n')];
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string' && isText(each));
}

/** A NUL would cut it short on its way to a program. */
const isText = (text: string) => text.trim() !== '' && !text.includes('\0');
