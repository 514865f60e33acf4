import { join } from 'node:path';
import type { ProcessName } from '@tutoring/shared/contract/names';

/** The entry file of a process in the checkout `root`. */
export const entryOf = (root: string, name: ProcessName) =>
  join(root, name === 'gateway' ? name : `services/${name}`, 'src/main.ts');
