import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { livingProcess } from './leftover.ts';
import { UserError } from './user-error.ts';

const MARKER = 'start.ts';

export type Lock = {
  /** True when an earlier run ended without releasing the lock: its processes may still be stopping. */
  wasAbandoned: boolean;
  release: () => void;
};

function tryToWrite(file: string): boolean {
  try {
    writeFileSync(file, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    rmSync(file, { force: true });
    throw error;
  }
}

/** Locks the data folder for one stack. Throws UserError when another stack runs on it. */
export function lockDataDir(dataDir: string): Lock {
  const file = `${dataDir}/lock`;
  const release = () => {
    if (readFileSync(file, 'utf8').trim() === String(process.pid)) rmSync(file);
  };
  if (tryToWrite(file)) return { wasAbandoned: false, release };
  const other = livingProcess(file, MARKER);
  if (other === undefined) {
    rmSync(file, { force: true });
    if (tryToWrite(file)) return { wasAbandoned: true, release };
  }
  throw new UserError(
    `The stack already runs on ${dataDir}${other ? ` (process ${other})` : ''}. ` +
      'Stop it first, or start a second one: DATA_DIR=.data-2 PORT=8090 npm start',
  );
}
