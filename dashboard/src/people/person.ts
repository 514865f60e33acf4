import type { RowOf } from '../data/bindings.ts';

/** A student or teacher. */
export type Person = RowOf<'people'>;
