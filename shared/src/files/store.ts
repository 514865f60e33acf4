import type { Readable } from 'node:stream';
import type { ByteRange } from '../http/serve/download.ts';

/** Stores files by key. A key's content never changes: it is complete, or absent. */
export interface FileStore {
  /** Moves a complete file of the local disk into the store. It may be repeated. */
  put(key: string, path: string): Promise<void>;
  /** Its bytes; undefined when there is none. */
  open(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Succeeds also when there is none. */
  remove(key: string): Promise<void>;
}
