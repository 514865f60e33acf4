import type { RowOf } from '../data/bindings.ts';

/** `user` is the reported user; `identifier` is that of the reported call. */
export type Report = RowOf<'reports'>;
