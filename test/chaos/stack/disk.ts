import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { retry } from './servers.ts';

/** More than a run needs. */
const SIZE = '3G';

export interface Disk {
  /**
   * Discards unflushed writes, as a power cut does. Kill the processes that use the disk first. Throws when the disk
   * cannot be mounted again.
   */
  loseUnflushed(): Promise<void>;
  /** Flushes everything written so far, so that a power cut does not lose the installation. */
  flush(): void;
  /** Fills the disk; the returned function frees the space. */
  fill(): () => void;
  unmount(): void;
}

const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: 'utf8' });

function must(command: string, ...args: string[]): void {
  const { status, stderr, error } = run(command, ...args);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
}

/** Mounts a file system from an image file at the folder. Throws without permission to mount. */
function mountDisk(folder: string): Disk {
  const image = `${folder}.img`;
  mkdirSync(folder, { recursive: true });
  const mount = () => must('mount', '-o', 'loop', image, folder);
  must('truncate', '-s', SIZE, image);
  must('mkfs.ext4', '-q', '-m', '0', image);
  mount();
  must('chmod', '711', folder);
  const ballast = join(folder, 'ballast');
  return {
    loseUnflushed: async () => {
      // The image holds what the file system has flushed; unmounting would flush the rest, so the copy is taken first.
      must('cp', '--sparse=always', image, `${image}.cut`);
      await retry('umount', async () => must('umount', folder));
      renameSync(`${image}.cut`, image);
      mount();
    },
    flush: () => must('sync', '-f', folder),
    fill: () => {
      // Allocates nearly all space quickly, then writes until the disk is full.
      run('sh', '-c', `fallocate -l $(df --output=avail -B1 '${folder}' | tail -1) '${ballast}'`);
      run('sh', '-c', `cat /dev/zero >> '${ballast}'`);
      return () => must('rm', '-f', ballast);
    },
    unmount: () => void run('umount', folder),
  };
}

/** Mounts a disk for each folder; undefined without permission to mount. */
export function mountDisks<Name extends string>(folders: Record<Name, string>): Record<Name, Disk> | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const mounted: [string, Disk][] = [];
  try {
    for (const [name, folder] of Object.entries<string>(folders)) mounted.push([name, mountDisk(folder)]);
    return Object.fromEntries(mounted) as Record<Name, Disk>;
  } catch {
    for (const [, disk] of mounted) disk.unmount();
    return undefined;
  }
}
