import { Buffer } from 'node:buffer';

/**
 * Bytes as text with one character each (latin1). File names are bytes: in this form they can be split, compared and
 * kept in JSON without losing one, and be turned back for the file system.
 */
export type ByteText = string;

export const byteText = (bytes: Uint8Array): ByteText => Buffer.from(bytes).toString('latin1');
export const bytesOf = (text: ByteText): Buffer => Buffer.from(text, 'latin1');
/** A path that came as ordinary text, e.g. in a request. */
export const byteTextOf = (text: string): ByteText => byteText(Buffer.from(text, 'utf8'));
/** For people: UTF-8, with a mark in the place of what is none. */
export const shown = (text: ByteText): string => bytesOf(text).toString('utf8');

/** Folder and name in one path; an empty folder is the top. */
export const joined = (folder: ByteText, name: ByteText): ByteText => (folder === '' ? name : `${folder}/${name}`);
