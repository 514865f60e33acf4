import type { Tx } from '@tutoring/shared/database/open';
import { row, rows, sweep } from '@tutoring/shared/database/sql';
import type { CodePurpose } from '../texts.ts';

/** Checks a code and counts the try, in one statement. A right one is spent when `consume` says so. */
export const checkCode = async (
  tx: Tx,
  input: { purpose: CodePurpose; subject: string; hashes: Buffer[]; consume: boolean },
) => {
  const checked = await row<{ accepted: boolean; reference: string | null }>(
    tx,
    'select accepted, reference from try_code($1, $2, $3::bytea[], $4)',
    [input.purpose, input.subject, input.hashes, input.consume],
  );
  return checked?.accepted ? { reference: checked.reference } : undefined;
};

interface NewCode {
  purpose: CodePurpose;
  subject: string;
  /** By each key; the first is stored. */
  hashes: Buffer[];
  reference: string | null;
}

const INSERT = `
  insert into code as c (purpose, subject, hash, reference, sent_at, expires_at, sends, sends_since)
  values ($1, $2, $3, $4, app_now(), app_now() + interval '10 minutes', 1, app_now())
  on conflict (purpose, subject) do update set hash = $3, reference = $4, code_tries = 0,
    sent_at = app_now(), expires_at = app_now() + interval '10 minutes', touched_at = app_now()`;

/**
 * Replaces the code, unless one was sent within 60 seconds or the account has used up its tries. Answers whether it did.
 */
export const replaceCode = async (tx: Tx, code: NewCode): Promise<boolean> =>
  (await row(
    tx,
    `${INSERT}
     where (c.sent_at is null or c.sent_at <= app_now() - interval '60 seconds')
       and not (c.tries >= 5 and c.tries_since > app_now() - interval '10 minutes')
       and not (c.day_tries >= 20 and c.day_since > app_now() - interval '1 day')
     returning purpose`,
    [code.purpose, code.subject, code.hashes[0], code.reference],
  )) !== undefined;

/**
 * Replaces the code at once, at most five times in ten minutes. Answers 0, or the seconds until the next one may be sent.
 */
export async function replaceCodeAtOnce(tx: Tx, code: NewCode): Promise<number> {
  const replaced = await row(
    tx,
    `${INSERT},
       sends = case when c.sends_since > app_now() - interval '10 minutes' then c.sends + 1 else 1 end,
       sends_since = case when c.sends_since > app_now() - interval '10 minutes' then c.sends_since else app_now() end
     where c.sends < 5 or c.sends_since is null or c.sends_since <= app_now() - interval '10 minutes'
     returning purpose`,
    [code.purpose, code.subject, code.hashes[0], code.reference],
  );
  if (replaced) return 0;
  const wait = await row<{ seconds: number }>(
    tx,
    `select greatest(1, ceil(extract(epoch from sends_since + interval '10 minutes' - app_now())))::int as seconds
     from code where purpose = $1 and subject = $2`,
    [code.purpose, code.subject],
  );
  return wait?.seconds ?? 1;
}

/** Voids whatever code there is; the budget stays. */
export const voidCode = (tx: Tx, purpose: CodePurpose, subject: string) =>
  rows(tx, 'update code set hash = null where purpose = $1 and subject = $2', [purpose, subject]);

export const requestCode = (tx: Tx, purpose: CodePurpose, subject: string) =>
  rows(tx, 'insert into code_request (purpose, subject) values ($1, $2)', [purpose, subject]);

/** Takes the oldest request for a code, if any; it is gone when `tx` commits. */
export const takeCodeRequest = (tx: Tx) =>
  row<{ purpose: CodePurpose; subject: string }>(
    tx,
    `delete from code_request where id = (select id from code_request order by id for update skip locked limit 1)
     returning purpose, subject`,
  );

const FORGOTTEN = [
  { table: 'code', age: 'touched_at', where: `touched_at < (select app_now()) - interval '2 days'` },
  { table: 'registration', age: 'created_at', where: `created_at < (select app_now()) - interval '1 day'` },
  { table: 'reset_grant', age: 'expires_at', where: `expires_at < (select app_now())` },
  { table: 'sms_day', age: 'day', where: `day < ((select app_now()) - interval '2 days')::date` },
];

/** Removes codes and submissions that nobody can use any more; true when there may be more. */
export async function forgetCodes(tx: Tx): Promise<boolean> {
  let isLeft = false;
  for (const old of FORGOTTEN) isLeft = (await sweep(tx, old)) || isLeft;
  return isLeft;
}
