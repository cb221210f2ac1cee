import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Replaces a file as a whole, readable by its owner only; a reader sees the old content or the new, never half. */
export function writePrivateJson(file: string, content: unknown): void {
  writePrivateText(file, `${JSON.stringify(content, null, 2)}\n`);
}

/** The same for text. */
export function writePrivateText(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.new`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, file);
}

/** @returns undefined when there is no such file, or it is no JSON (a crash of an older version while writing) */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
