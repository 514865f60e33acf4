import type { z } from 'zod';
import { createListing } from '@tutoring/shared/kit/database/listing';
import { containsCondition, type AddParameter } from '@tutoring/shared/kit/database/search';
import { column, dynamic, rows, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { EventData } from '@tutoring/shared/contract/events';
import { searchCondition } from '../search-store.ts';
import type { auditFilter, AuditRow } from './audit.ts';

export const now = (reader: Reader) => value<string>(reader, 'select app_now() as at');

const INSERT_AUDIT = `insert into audit (admin_id, admin_name, action, subject, before, after, request_id, created_at)
  select admin_id, admin_name, action, subject, before, after, request_id, created_at
  from jsonb_populate_record(null::audit, $1::jsonb)`;

export const insertAudit = (tx: Tx, entry: EventData<'admin.acted'>) =>
  rows(tx, INSERT_AUDIT, [JSON.stringify({ ...entry, created_at: entry.acted_at })]);

type AuditFilter = z.output<typeof auditFilter>;

/** The searchable text of an entry: what the dashboard shows of it. */
const SEARCH_COLUMNS = {
  table: 'audit',
  text: `normalised(t.action || ' ' || t.subject || ' ' || t.admin_name
    || ' ' || coalesce(t.before::text, '') || ' ' || coalesce(t.after::text, ''))`,
};

/** A text that matches more people is too common: it finds no entries by person. */
const MAX_PEOPLE = 1_000;

/** SQL: the entry is about a user or administrator whose name, e-mail or phone number contains `text`. */
async function aboutPerson(reader: Reader, text: string, value: AddParameter): Promise<string[]> {
  const values: unknown[] = [];
  const ownValue: AddParameter = (given) => `$${values.push(given)}`;
  const named = await containsCondition(reader, { table: 'account', as: 'a', text: 'a.find' }, text, ownValue);
  const found = await column<string>(
    reader,
    dynamic(`select 'user:' || a.id from account a where a.deleted_at is null and ${named} limit ${MAX_PEOPLE + 1}`),
    values,
  );
  const admins = await column<string>(
    reader,
    `select 'admin:' || id from admin where strpos(normalised(name || ' ' || email), $1) > 0`,
    [text],
  );
  const subjects = [...(found.length > MAX_PEOPLE ? [] : found), ...admins];
  return subjects.length > 0 ? [`t.subject = any(${value(subjects)}::text[])`] : [];
}

/** SQL: a value with `sign` in it (`user:12`) must match exactly; one without (`user`) matches all of its kind. */
const exactOrKind = (name: string, sign: string, given: string | undefined, value: AddParameter): string[] => {
  if (given === undefined) return [];
  if (given.includes(sign)) return [`t.${name} = ${value(given)}`];
  return [`t.${name} like ${value(`${given.replaceAll(/[\\%_]/g, String.raw`\$&`)}${sign}%`)}`];
};

/** Pages of the audit log with their total number, newest first. */
export const createAuditList = () =>
  createListing<AuditRow, AuditFilter>({
    table: 'audit',
    select: 'select id, admin_id, admin_name, action, subject, before, after, request_id, created_at from audit',
    key: 'id',
    tallied: ['admin_id'],
    others: async (filter, value, reader) => [
      ...exactOrKind('action', '.', filter.action, value),
      ...exactOrKind('subject', ':', filter.subject, value),
      ...(await searchCondition(reader, filter, value, SEARCH_COLUMNS, (text) => aboutPerson(reader, text, value))),
    ],
  });
