import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/faketime/libfaketimeMT.so.1',
];

export interface Clocks {
  /** What makes a replica live by a clock of its own. */
  environmentOf(replica: string): Record<string, string>;
  /** Sets the replica's clock so many seconds ahead (behind: negative) of everybody's, within a second. */
  shift(replica: string, seconds: number): void;
}

/** Clocks of single processes, by libfaketime; undefined where it is not installed. Timers keep the true pace. */
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
