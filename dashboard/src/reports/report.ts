import type { RowOf } from '../data/bindings.ts';

/** `user` is reported; `identifier` is of the call that it is about. */
export type Report = RowOf<'reports'>;
