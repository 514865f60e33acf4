import type { RecordOf, RowOf } from '../data/bindings.ts';

/** A student or teacher. */
export type Person = RowOf<'people'>;
/** With what its page has alone. */
export type WholePerson = RecordOf<'people'>;
