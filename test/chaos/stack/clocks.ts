import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/faketime/libfaketimeMT.so.1',
];

export interface Clocks {
  /** Environment variables that give a replica its own clock. */
  environmentOf(replica: string): Record<string, string>;
  /**
   * Sets the replica's clock ahead of the true time by these seconds (behind: negative). Takes effect within a second.
   */
  shift(replica: string, seconds: number): void;
}

/** Fakes clocks of single processes with libfaketime; undefined where it is not installed. Timers are not affected. */
export function createClocks(folder: string): Clocks | undefined {
  const library = LIBRARIES.find((path) => existsSync(path));
  if (library === undefined) return undefined;
  const files = join(folder, 'clocks');
  mkdirSync(files);
  const shift = (replica: string, seconds: number) =>
    writeFileSync(join(files, replica), `${seconds < 0 ? '' : '+'}${seconds}\n`);
  return {
    environmentOf: (replica) => {
      shift(replica, 0);
      return {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: join(files, replica),
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        FAKETIME_CACHE_DURATION: '1',
      };
    },
    shift,
  };
}
