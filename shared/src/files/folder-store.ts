import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStore } from './store.ts';

/** fsync: what was renamed into the folder survives a crash of the machine. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Files in subfolders by the first two letters of their keys. `put` moves them within the same file system. */
export function createFolderStore(folder: string): FileStore {
  const pathOf = (key: string) => join(folder, key.slice(0, 2), key);
  return {
    async put(key, path) {
      const to = pathOf(key);
      await mkdir(dirname(to), { recursive: true });
      await rename(path, to);
      await sync(dirname(to));
    },
    async open(key, range) {
      const handle = await open(pathOf(key), 'r').catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
      return handle?.createReadStream(range);
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}
