import type { paths } from '@tutoring/client/schema';
import type { RowOf } from '../data/bindings.ts';
import type { PayloadOf } from '../server/server.ts';

/** A batch of payouts. */
export type Batch = RowOf<'payouts'>;

type ItemsAnswer =
  paths['/api/admin/payout-batches/{id}/items']['get']['responses'][200]['content']['application/json'];
type ResultsAnswer =
  paths['/api/admin/payout-batches/{id}/results']['post']['responses'][200]['content']['application/json'];

/** One payout of a batch. */
export type Item = PayloadOf<ItemsAnswer>['data'][number];
export type ItemStatus = Item['status'];
/** What the lines of a file of results mean. */
export type Results = PayloadOf<ResultsAnswer>;
export type Verdict = Results['rows'][number]['verdict'];

export const STATUSES = ['draft', 'approved', 'exported', 'closed', 'canceled'] as const satisfies Batch['status'][];
export const FORMATS = ['csv', 'pain.001', 'provider'] as const satisfies Batch['format'][];

/** In the order in which they need attention. */
export const ITEM_STATUSES = [
  'uncertain',
  'waiting',
  'sent',
  'paid',
  'failed',
  'returned',
  'removed',
] as const satisfies ItemStatus[];

/** Those that a person must look at come first. */
const VERDICTS = [
  'uncertain',
  'amount_differs',
  'unknown_reference',
  'repeated',
  'unreadable',
  'already',
  'failed',
  'paid',
] as const satisfies Verdict[];

/** The lines that are applied. */
export const APPLIED = ['paid', 'failed', 'uncertain'] as const satisfies Verdict[];

/** The lines of a file by verdict, uncertain ones first, each verdict in the order of the file. */
export const sortedRows = ({ rows }: Pick<Results, 'rows'>): Results['rows'] =>
  rows.toSorted(
    (one, other) => VERDICTS.indexOf(one.verdict) - VERDICTS.indexOf(other.verdict) || one.line - other.line,
  );

/** The verdicts that lines have, with their numbers. */
export const countsOf = ({ counts }: Pick<Results, 'counts'>): [Verdict, number][] =>
  VERDICTS.map((verdict): [Verdict, number] => [verdict, counts[verdict]]).filter(([, count]) => count > 0);

/** The states that payouts of a batch have, with their numbers. */
export const statesOf = ({ items }: Pick<Batch, 'items'>): [ItemStatus, number][] =>
  ITEM_STATUSES.map((status): [ItemStatus, number] => [status, items[status]]).filter(([, count]) => count > 0);

const BEFORE = {
  paid: ['sent', 'uncertain'],
  failed: ['sent', 'uncertain'],
  returned: ['paid'],
} as const satisfies Record<string, ItemStatus[]>;
/** How a payout is settled by hand. */
export type Settlement = keyof typeof BEFORE;

/** The states in which a payout can be settled so. What a provider may still be paying is not settled by hand. */
export const statesBefore = (settlement: Settlement, { format }: Pick<Batch, 'format'>): ItemStatus[] =>
  BEFORE[settlement].filter((status) => status !== 'sent' || format !== 'provider');

/** The address of the page on which results are read. */
export const resultsPath = (id: number) => `/payouts/${id}/results`;
