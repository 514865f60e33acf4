import type { Readable } from 'node:stream';
import type { ByteRange } from '../http/download.ts';

/** Where files lie, by key. What a key names never changes: it is there whole, or not at all. */
export interface FileStore {
  /** Takes over a whole file of the local disk. Repeated, it does no harm. */
  put(key: string, path: string): Promise<void>;
  /** Its bytes; undefined when there is none. */
  open(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Succeeds when there is none. */
  remove(key: string): Promise<void>;
}
