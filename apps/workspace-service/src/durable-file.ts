import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/**
 * Writes a file whole: a reader sees the old or the new one, and after a crash, of the machine too, one of them is there.
 *
 * @throws what the file system says; then the old file, if there was one, is as it was
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  const draft = join(folder, `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await synced(draft, 'wx', (file) => file.writeFile(text));
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await synced(folder, 'r', async () => undefined);
}

type File = Awaited<ReturnType<typeof open>>;

async function synced(path: string, flags: 'wx' | 'r', fn: (file: File) => Promise<void>): Promise<void> {
  const file = await open(path, flags, OWNER_ONLY_FILE);
  try {
    await fn(file);
    await file.sync();
  } finally {
    await file.close();
  }
}
