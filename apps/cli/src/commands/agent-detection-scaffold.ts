import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUNDLED_MANIFESTS } from '@switchyard/detector/engine';
import { flag, type Options } from '../command.js';
import { type Context, UsageError, YardProblem } from '../context.js';
import { manifestFolder } from '../detection/manifest-folder.js';
import { isAgentId, manifestSkeleton } from '../domain/manifest-skeleton.js';

/** Prints a manifest to begin with, or puts it where the detectors find it. */
export async function scaffold(context: Context, what: readonly string[], options: Options): Promise<void> {
  const [agent = '', extra] = what;
  if (!isAgentId(agent) || extra !== undefined) {
    throw new UsageError('name one agent, in lower case letters, digits and hyphens');
  }
  const manifest = manifestSkeleton(agent);
  const content = `${JSON.stringify(manifest, null, 2)}\n`;
  const { out } = context;
  if (!flag(options, 'write')) return out.line(content.trimEnd());
  const file = await written(manifestFolder(context.paths), agent, content);
  if (existsSync(join(BUNDLED_MANIFESTS, `${agent}.json`))) {
    out.note(`It takes the place of the manifest that Switchyard has for ${agent}. Delete it to have that again.`);
  }
  out.result({ file }, () => file);
}

/** Never over a file that is there. @returns its path */
async function written(folder: string, agent: string, content: string): Promise<string> {
  const file = join(folder, `${agent}.json`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, content, { flag: 'wx' });
    return file;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EEXIST' ? 'is there already, and stays as it is' : `cannot be written: ${message}`;
    throw new YardProblem(`${file} ${reason}`, { cause: error });
  }
}
