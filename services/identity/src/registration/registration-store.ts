import { exists, row, rows, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { Language } from '@tutoring/shared/kit/process/language';
import type { Submission } from './registration.ts';

/** A pending submission, without its secrets. */
export type PendingSubmission = Omit<Submission, 'password' | 'gauth_token' | 'nonce' | 'verified'> & {
  /** Language of the request. */
  language: Language;
};

/** A submission whose code can still be entered. */
export interface OpenSubmission {
  id: number;
  password_hash: string | null;
}

const IS_OPEN = `created_at > app_now() - interval '10 minutes'`;

export const openRegistration = (reader: Reader, subject: string) =>
  row<OpenSubmission>(reader, `select id, password_hash from registration where email_key = $1 and ${IS_OPEN}`, [
    subject,
  ]);

/** Id of the open submission that the new one was compared with, if any, and whether the passwords differ. */
export interface ComparedWith {
  id: number | null;
  contradicts: boolean;
}

interface Replacement {
  subject: string;
  addressKey: string;
  submission: PendingSubmission;
  passwordHash: string | null;
  comparedWith: ComparedWith;
}

const REPLACE_REGISTRATION = `insert into registration as r
    (email_key, submission, password_hash, plan_id, address_key) values ($1, $2, $3, $4, $5)
  on conflict (email_key) do update set id = excluded.id, submission = excluded.submission,
    password_hash = excluded.password_hash, plan_id = excluded.plan_id, address_key = excluded.address_key,
    created_at = app_now(), contested = r.${IS_OPEN} and (r.contested or $7)
  where r.id = $6 or not r.${IS_OPEN}
  returning id, created_at, contested`;

/**
 * Replaces the earlier submission of the address. Undefined when the open submission is not `comparedWith`. An
 * address stays contested while each new submission arrives before the previous one expires.
 */
export function replaceRegistration(
  tx: Tx,
  { subject, addressKey, submission, passwordHash, comparedWith }: Replacement,
) {
  const kept = [subject, JSON.stringify(submission), passwordHash, submission.plan ?? null, addressKey];
  const values = [...kept, comparedWith.id, comparedWith.contradicts];
  return row<{ id: number; created_at: string; contested: boolean }>(tx, REPLACE_REGISTRATION, values);
}

const NEWEST_REGISTRATION = `select id, submission from registration where address_key = $1
  order by email_key = $1 desc, id desc limit 1`;

/**
 * The pending submission whose code is sent to this e-mail, else the newest one with it, also with an expired code.
 * This order keeps a stranger, who registers the e-mail with another phone, from getting the owner's code. Not locked.
 */
export const newestRegistration = (reader: Reader, addressKey: string) =>
  row<{ id: number; submission: PendingSubmission }>(reader, NEWEST_REGISTRATION, [addressKey]);

const REOPEN_REGISTRATION = 'update registration set created_at = app_now() where id = $1 returning contested';

/** Reopens a submission for ten minutes. Undefined when it was replaced or verified. */
export const reopenRegistration = (tx: Tx, id: number) => row<{ contested: boolean }>(tx, REOPEN_REGISTRATION, [id]);

export const savepoint = (tx: Tx, name: 'asked' | 'counted') => rows(tx, `savepoint ${name}`);
export const rollbackTo = (tx: Tx, name: 'asked' | 'counted') => rows(tx, `rollback to savepoint ${name}`);

const TAKE_REGISTRATION = 'delete from registration where id = $1 returning id, submission, password_hash, contested';

/** Removes a submission and returns it; undefined when it was replaced. */
export const takeRegistration = (tx: Tx, id: number) =>
  row<OpenSubmission & { submission: PendingSubmission; contested: boolean }>(tx, TAKE_REGISTRATION, [id]);

export const dropRegistration = (tx: Tx, emailKey: string) =>
  rows(tx, 'delete from registration where email_key = $1', [emailKey]);

export const nextPersonId = (tx: Tx) => value<number>(tx, `select nextval('person_id') as id`);

const INSERT_EXTERNAL_IDENTITY = `insert into external_identity (issuer, subject, account_id) values ($1, $2, $3)
  on conflict do nothing returning account_id`;

/** False when an account has this identity. */
export const insertExternalIdentity = (tx: Tx, identity: { issuer: string; subject: string }, accountId: number) =>
  exists(tx, INSERT_EXTERNAL_IDENTITY, [identity.issuer, identity.subject, accountId]);
