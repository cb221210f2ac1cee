import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { fail } from '@switchyard/protocol';

const OTHERS = 0o077;

/**
 * Compares with the first line of the password file, which is read each time so that a new password counts at once.
 * Takes equally long wherever the two differ.
 *
 * @param file path from the settings; empty when none is configured
 * @throws SwitchyardError `auth_unconfigured` without a usable file
 */
export function isPassword(file: string, given: string): boolean {
  return timingSafeEqual(digest(given), digest(readPassword(file)));
}

function readPassword(file: string): string {
  if (file === '') fail('auth_unconfigured', 'Password access is on, but gateway.password_file is not set.');
  const text = readPrivate(file);
  const password = text.split(/\r?\n/, 1)[0] ?? '';
  if (password === '') fail('auth_unconfigured', 'The first line of gateway.password_file is empty.');
  return password;
}

function readPrivate(file: string): string {
  try {
    if (statSync(file).mode & OTHERS) {
      fail('auth_unconfigured', 'gateway.password_file can be read by others; its mode must be 600.');
    }
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT' && code !== 'EACCES' && code !== 'EISDIR') throw error;
    return fail('auth_unconfigured', `gateway.password_file cannot be read (${code}).`);
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
