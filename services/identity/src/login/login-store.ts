import type { Reader } from '@tutoring/shared/database/open';
import { row } from '@tutoring/shared/database/sql';

/** The account that belongs to an identity at a provider. */
export const holderOf = async (reader: Reader, identity: { issuer: string; subject: string }) =>
  (
    await row<{ account_id: number }>(
      reader,
      'select account_id from external_identity where issuer = $1 and subject = $2',
      [identity.issuer, identity.subject],
    )
  )?.account_id;
