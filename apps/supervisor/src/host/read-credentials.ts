import { readFileSync, statSync } from 'node:fs';
import { type HostCredentials, parseCredentials } from '@switchyard/service/host-credentials';
import type { JoinOptions } from '../yard-options.js';

const OTHERS = 0o077;

/** @throws Error that says what is wrong with the file, never what is in it */
export function readCredentials({ creds, url }: JoinOptions): HostCredentials {
  if ((statSync(creds).mode & OTHERS) !== 0) {
    throw new Error(`${creds} can be read by others than its owner: chmod 600 it, or have the credentials renewed`);
  }
  const credentials = parseCredentials(readFileSync(creds, 'utf8'));
  if (url === undefined) return credentials;
  if (!/^tls:\/\/[^\s/]+$/.test(url)) throw new Error(`a yard is joined at tls://host:port, not ${url}`);
  return { ...credentials, urls: [url] };
}
