import { readFile } from 'node:fs/promises';

/** Where the bus is and what it demands: `paths.busFile`, written by the supervisor, mode 0600. */
export interface BusAddress {
  readonly url: string;
  readonly token: string;
  /** The yard's own part of the subjects, so that yards can share a broker. */
  readonly space: string;
  /** On another machine of the fleet: the secret half of its key, in place of the token. */
  readonly seed?: string;
  /** And the certificate by which it recognises the yard. */
  readonly ca?: string;
}

/** @throws Error that names the file and what is wrong with it, never its contents */
export async function readBusFile(path: string): Promise<BusAddress> {
  const parsed: unknown = parse(path, await readFile(path, 'utf8'));
  if (isAddress(parsed)) {
    const { url, token, space, seed, ca } = parsed;
    return { url, token, space, ...(seed !== undefined && { seed }), ...(ca !== undefined && { ca }) };
  }
  throw new Error(`${path} must hold {"url", "token", "space"}`);
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The error of JSON.parse quotes the text, and the text is a secret.
    throw new Error(`${path} is not JSON`);
  }
}

function isAddress(value: unknown): value is BusAddress {
  if (typeof value !== 'object' || value === null) return false;
  const { url, token, space, seed, ca } = value as Partial<Record<keyof BusAddress, unknown>>;
  const optional = [seed, ca].every((each) => each === undefined || typeof each === 'string');
  return typeof url === 'string' && typeof token === 'string' && typeof space === 'string' && optional;
}
