import { value, type Reader } from '@tutoring/shared/kit/database/sql';

/** Used tokens, for `sweep`. Only replicas of the previous release write them, to accept each token once. */
export const EXPIRED_SPENT_TOKENS = {
  table: 'spent_token',
  age: 'expires_at',
  where: 'expires_at < (select app_now())',
};

const HOLDER_OF = 'select account_id from external_identity where issuer = $1 and subject = $2';

/** The id of the account with this identity at a provider. */
export const holderOf = (reader: Reader, identity: { issuer: string; subject: string }) =>
  value<number | undefined>(reader, HOLDER_OF, [identity.issuer, identity.subject]);
