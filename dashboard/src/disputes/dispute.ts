import type { RecordOf, RowOf } from '../data/bindings.ts';

export type DisputeRow = RowOf<'disputes'>;
/** A dispute with its timeline, which only the record page gets. */
export type Dispute = RecordOf<'disputes'>;

export const STATUSES = [
  'inquiry',
  'needs_response',
  'under_review',
  'won',
  'lost',
] as const satisfies Dispute['status'][];

/** The address of a dispute's evidence. */
export const evidencePath = (id: number) => `/disputes/${id}/evidence`;
