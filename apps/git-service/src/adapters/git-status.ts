import { StatusReader } from '../domain/status/status-reader.js';
import { type GitOptions, gitStream } from './git-cli.js';

const STATUS = ['status', '--porcelain=v2', '--branch', '-z'];

/**
 * Runs `git status` in a folder and reads what it prints as it comes.
 *
 * @param args after those that make it readable here
 * @param limit entries to keep; all are counted
 * @param onPiece sees each piece of the output as well
 * @throws what `git` throws
 */
export async function gitStatus(
  folder: string,
  args: readonly string[],
  limit: number,
  options: GitOptions,
  onPiece?: (piece: Buffer) => void,
): Promise<StatusReader> {
  const reader = new StatusReader(limit);
  await gitStream(folder, [...STATUS, ...args], options, (piece) => {
    reader.push(piece);
    onPiece?.(piece);
    return true;
  });
  return reader;
}
