import type { Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { Submission } from './registration.ts';

/** A submission as it waits: without the secrets. */
export type Waiting = Omit<Submission, 'password' | 'gauth_token' | 'nonce' | 'verified'>;

/** Replaces whatever the address submitted before; answers the id of this submission. */
export const replaceRegistration = async (
  tx: Tx,
  input: { emailKey: string; submission: Waiting; passwordHash: string | null },
) =>
  (await row<{ id: number; created_at: string }>(
    tx,
    `insert into registration (email_key, submission, password_hash, plan_id) values ($1, $2, $3, $4)
     on conflict (email_key) do update set id = excluded.id, submission = excluded.submission,
       password_hash = excluded.password_hash, plan_id = excluded.plan_id, created_at = app_now()
     returning id, created_at`,
    [input.emailKey, JSON.stringify(input.submission), input.passwordHash, input.submission.plan ?? null],
  ))!;

/** Takes a submission out; undefined when it was replaced. */
export const takeRegistration = (tx: Tx, id: number) =>
  row<{ id: number; submission: Waiting; password_hash: string | null }>(
    tx,
    'delete from registration where id = $1 returning id, submission, password_hash',
    [id],
  );

export const dropRegistration = (tx: Tx, emailKey: string) =>
  rows(tx, 'delete from registration where email_key = $1', [emailKey]);

export const nextPersonId = async (tx: Tx) => (await row<{ id: number }>(tx, `select nextval('person_id') as id`))!.id;

/** False when somebody has this identity already. */
export const insertExternalIdentity = async (
  tx: Tx,
  identity: { issuer: string; subject: string },
  accountId: number,
) =>
  (await row(
    tx,
    `insert into external_identity (issuer, subject, account_id) values ($1, $2, $3) on conflict do nothing returning account_id`,
    [identity.issuer, identity.subject, accountId],
  )) !== undefined;
