import type { RecordOf, RowOf } from '../data/bindings.ts';

/** A student or teacher. */
export type Person = RowOf<'people'>;
/** A person with the fields that only the record page gets. */
export type WholePerson = RecordOf<'people'>;
