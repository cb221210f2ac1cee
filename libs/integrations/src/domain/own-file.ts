import { BrokenConfig } from './broken-config.js';
import type { FileEditor } from './editor.js';

/**
 * A file that is ours alone. One of the same name that lacks our mark is somebody else's and is left as it is.
 *
 * @param content as it is written today
 * @param isOurs tells ours, of any version, from others
 */
export function ownFile(content: string, isOurs: (text: string) => boolean): FileEditor {
  return {
    find: (text) => {
      if (text === content) return 'current';
      return isOurs(text) ? 'outdated' : foreign();
    },
    add: (text) => (text === null || isOurs(text) ? content : foreign()),
    remove: (text) => (isOurs(text) ? '' : text),
    isBlank: (text) => text === '' || isOurs(text),
  };
}

const INTEGRATION_MARK = 'switchyard-integration';

/** The mark that a file of ours carries in a comment. */
export const integrationMark = (agent: string, version: number): string => `${INTEGRATION_MARK}: ${agent} ${version}`;

export const hasIntegrationMark = (agent: string) => {
  const mark = new RegExp(`^.{0,8}${INTEGRATION_MARK}: ${agent} \\d+`, 'm');
  return (text: string): boolean => mark.test(text);
};

function foreign(): never {
  throw new BrokenConfig('there is a file of that name that Switchyard did not write; it is left as it is');
}
