import { exists, value, type Reader, type Tx } from '@tutoring/shared/database/sql';
import type { Proof } from './proof.ts';

const SPEND_TOKEN = 'insert into spent_token (hash, use) values ($1, $2) on conflict do nothing returning use';

/** Spends the token of a proof; false when it was used for this before. Of concurrent transactions only one commits. */
export const spendToken = async (tx: Tx, { once }: Proof, use: 'registration' | 'login'): Promise<boolean> =>
  once === undefined || (await exists(tx, SPEND_TOKEN, [once, use]));

/** Tokens that are too old to be accepted. */
export const OLD_TOKENS = { table: 'spent_token', age: 'expires_at', where: 'expires_at < (select app_now())' };

const HOLDER_OF = 'select account_id from external_identity where issuer = $1 and subject = $2';

/** The account that belongs to an identity at a provider. */
export const holderOf = (reader: Reader, identity: { issuer: string; subject: string }) =>
  value<number | undefined>(reader, HOLDER_OF, [identity.issuer, identity.subject]);
