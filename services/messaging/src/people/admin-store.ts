import type { Actor } from '@tutoring/shared/contract/admin-action';
import type { EventData } from '@tutoring/shared/contract/events';
import { DEFAULT_ROLES, rightsOf } from '@tutoring/shared/contract/rights';
import { upsertNewerSql } from '@tutoring/shared/kit/database/copies';
import { column, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';

/* Copies of administrators: who may have cases, and the names of those who wrote or changed something. */

const SAVE = upsertNewerSql('admin_copy', ['id'], ['id', 'version', 'name', 'has_desk']);

const hasDesk = ({ status, level, roles }: EventData<'admin.changed'>) =>
  status === 'active' && rightsOf(level, roles ?? DEFAULT_ROLES).includes('desk');

/** Saves administrators with distinct ids, unless newer versions are stored. Locks them against new assignments. */
export const saveAdmins = (tx: Tx, admins: EventData<'admin.changed'>[]) =>
  rows(tx, SAVE, [JSON.stringify(admins.map((admin) => ({ ...admin, has_desk: hasDesk(admin) })))]);

/** Those of these administrators who have lost the right `desk` or are inactive. */
export const listWithoutDesk = (reader: Reader, ids: number[]) =>
  column<number>(reader, 'select id from admin_copy where id = any($1::bigint[]) and not has_desk', [ids]);

/** Stores an administrator with the right `desk` of whom no event has arrived yet. */
export const rememberAdmin = (tx: Tx, { id, name }: Actor) =>
  rows(tx, `insert into admin_copy (id, version, name, has_desk) values ($1, 0, $2, true) on conflict do nothing`, [
    id,
    name,
  ]);

/**
 * Those of these administrators who may have cases. Share-locks them, so that none loses the right before `tx` ends: do
 * it before you write a case.
 */
export const shareAgents = async (tx: Tx, ids: number[]): Promise<Set<number>> =>
  new Set(
    await column<number>(
      tx,
      'select id from admin_copy where id = any($1::bigint[]) and has_desk order by id for share',
      [ids],
    ),
  );

/** The administrators who may have cases, by name. */
export const listAgents = (reader: Reader) =>
  rows<Actor>(reader, 'select id, name from admin_copy where has_desk order by normalised(name), id');

/** The names of administrators by id. */
export async function adminNames(reader: Reader, ids: (number | null)[]): Promise<(id: number) => string> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  const found =
    wanted.length === 0
      ? []
      : await rows<Actor>(reader, 'select id, name from admin_copy where id = any($1::bigint[])', [wanted]);
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? '';
}
