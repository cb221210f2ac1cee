import type { NotifierConfig } from '../config.js';
import type { Adapter } from './adapter.js';
import { commandAdapter } from './command.js';
import { desktopAdapter } from './desktop.js';
import { fileAdapter } from './file.js';
import { webhookAdapter } from './webhook.js';

/** The ways that are set up. */
export function adaptersOf({ desktop, command, webhook, file }: NotifierConfig): Adapter[] {
  return [
    ...(desktop ? [desktopAdapter(process.platform)] : []),
    ...(command.length > 0 ? [commandAdapter(command)] : []),
    ...(webhook === null ? [] : [webhookAdapter(webhook)]),
    ...(file === null ? [] : [fileAdapter(file)]),
  ];
}
