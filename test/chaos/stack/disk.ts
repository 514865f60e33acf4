import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { insistently } from './servers.ts';

const SIZE = '3G';

export interface Disk {
  folder: string;
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

/** A file system of its own in a file, for power cuts and full disks; undefined without the right to mount one. */
export function mountDisk(parent: string): Disk | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [image, folder] = [join(parent, 'disk.img'), join(parent, 'disk')];
  mkdirSync(folder);
  const mount = () => must('mount', '-o', 'loop', image, folder);
  try {
    must('truncate', '-s', SIZE, image);
    must('mkfs.ext4', '-q', '-m', '0', image);
    mount();
  } catch {
    return undefined;
  }
  must('chmod', '711', folder);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    loseUnflushed: async () => {
      // The image holds what the file system has flushed; unmounting would flush the rest, so the copy is taken first.
      must('cp', '--sparse=always', image, `${image}.cut`);
      await insistently('umount', async () => must('umount', folder));
      renameSync(`${image}.cut`, image);
      mount();
    },
    flush: () => must('sync', '-f', folder),
    fill: () => {
      // Whatever room there is.
      run('sh', '-c', `fallocate -l $(df --output=avail -B1 '${folder}' | tail -1) '${ballast}'`);
      return () => must('rm', '-f', ballast);
    },
    unmount: () => void run('umount', folder),
  };
}
