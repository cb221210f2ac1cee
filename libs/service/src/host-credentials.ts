import { checkResult, type Result } from '@switchyard/protocol';
import type { BusAddress } from './bus-file.js';

/** What a machine needs to join a yard; the file is its secret, mode 0600. */
export type HostCredentials = Result<'fleet.admit'>['credentials'];

/** @returns text of a credentials file */
export function encodeCredentials(credentials: HostCredentials): string {
  return `${JSON.stringify(credentials, null, 2)}\n`;
}

/**
 * @param text of a credentials file
 * @throws Error that says what is wrong, never quoting what was given
 */
export function parseCredentials(text: string): HostCredentials {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // The error of JSON.parse quotes the text, and the text is a secret.
    throw new Error('these are no credentials: not JSON');
  }
  try {
    return checkResult('fleet.admit', { credentials: parsed }).credentials;
  } catch (cause) {
    const why = (cause as Error).message.replace(/^.*\/credentials\/?/, '');
    throw new Error(`these are no credentials of a host: ${why}`);
  }
}

/** How the processes of that machine reach the bus. */
export function busAddressOf({ urls, space, seed, ca }: HostCredentials): BusAddress {
  return { url: urls.join(','), token: '', space, seed, ca };
}
