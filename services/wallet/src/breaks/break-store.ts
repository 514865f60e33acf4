import { createListing } from '@tutoring/shared/kit/database/listing';
import { containsCondition } from '@tutoring/shared/kit/database/search';
import {
  columnsOf,
  exists,
  insert,
  row,
  rows,
  update,
  value,
  type Reader,
  type Tx,
} from '@tutoring/shared/kit/database/sql';
import type { Break, BreakDecision, BreakFilter, NewBreak } from './break.ts';

const COLUMNS =
  'id, kind, provider, reference, ours, theirs, amount_ours, amount_theirs, status, note, created_at, updated_at';

/** Inserts a break unless the same one is open; false when it is. */
export const insertBreak = async (tx: Tx, found: NewBreak): Promise<boolean> =>
  (await insert(
    tx,
    'break',
    found,
    `on conflict (kind, provider, reference) where status = 'open' do nothing returning id`,
  )) !== undefined;

/** Inserts breaks that are not open yet, in an order in which concurrent insertions do not wait for each other in turn. */
export const insertBreaks = (tx: Tx, found: NewBreak[]) =>
  rows(
    tx,
    `insert into break (kind, provider, reference, ours, theirs, amount_ours, amount_theirs, created_at, updated_at)
     select b.*, at, at from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
       as b (kind, provider, reference, ours, theirs, amount_ours, amount_theirs), (select app_now() as at) moment
     order by b.kind, b.provider, b.reference
     on conflict (kind, provider, reference) where status = 'open' do nothing`,
    columnsOf(found, 'kind', 'provider', 'reference', 'ours', 'theirs', 'amount_ours', 'amount_theirs'),
  );

export const lockBreak = (tx: Tx, id: number) =>
  row<Break>(tx, `select ${COLUMNS} from break where id = $1 for no key update`, [id]);

/** True when another break of the same kind, provider and reference is open. */
export const hasOpenTwin = (reader: Reader, { id, kind, provider, reference }: Break) =>
  exists(
    reader,
    `select from break where status = 'open' and kind = $2 and provider = $3 and reference = $4 and id <> $1`,
    [id, kind, provider, reference],
  );

export const updateBreak = (tx: Tx, id: number, decision: BreakDecision) =>
  update<Break>(tx, 'break', { id, returning: COLUMNS }, decision);

/** Pages of all breaks, newest first. */
export const createBreakList = () =>
  createListing<Break, BreakFilter>({
    table: 'break',
    select: `select ${COLUMNS} from break`,
    key: 'id',
    tallied: ['kind', 'status'],
    others: async ({ filter_value: searched }, parameter, reader) => {
      if (searched === undefined) return [];
      const folded = await value<string>(reader, 'select fold($1)', [searched]);
      const text = { table: 'break', as: 't', text: `fold(t.reference || ' ' || t.note)` };
      const contains = await containsCondition(reader, text, folded, parameter);
      return [/^\d{1,15}$/.test(searched) ? `(t.id = ${parameter(Number(searched))} or ${contains})` : contains];
    },
  });
