import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { insistently } from './servers.ts';

/** Far more than a run needs. */
const SIZE = '3G';

export interface Disk {
  /**
   * What was written but not flushed is gone, as after a power cut. Nobody may use the disk meanwhile: kill first.
   * Throws when the disk cannot be mounted again.
   */
  loseUnflushed(): Promise<void>;
  /** Everything that is written is safe from here on: an installation is older than its first power cut. */
  flush(): void;
  /** Takes all the room there is; the result gives it back. */
  fill(): () => void;
  unmount(): void;
}

const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: 'utf8' });

function must(command: string, ...args: string[]): void {
  const { status, stderr, error } = run(command, ...args);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
}

/** A file system of its own in a file beside the folder, for power cuts and full disks. Throws without the right to. */
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
      await insistently('umount', async () => must('umount', folder));
      renameSync(`${image}.cut`, image);
      mount();
    },
    flush: () => must('sync', '-f', folder),
    fill: () => {
      // At once nearly all, then what there is still.
      run('sh', '-c', `fallocate -l $(df --output=avail -B1 '${folder}' | tail -1) '${ballast}'`);
      run('sh', '-c', `cat /dev/zero >> '${ballast}'`);
      return () => must('rm', '-f', ballast);
    },
    unmount: () => void run('umount', folder),
  };
}

/** A disk for each folder, by its name; undefined without the right to mount one. */
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
