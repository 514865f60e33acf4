import type { EventData } from '@tutoring/shared/contract/events';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { tell } from '../delivery/delivery-service.ts';
import type { Parts } from '../parts.ts';
import { moneyLetter } from '../texts.ts';
import type { Login } from '../users/user.ts';
import { loginById } from '../users/user-store.ts';

type News = EventData<'money.announced'>;

/** Letters go to a proven e-mail; only the news of an added account, which may be a theft, also goes by SMS. */
function contactFor({ email, email_key, phone_key, gauth_type }: Login, what: News['what']) {
  if (email_key !== null) return { email };
  const isTexted = what === 'account_added' && gauth_type === 'phone_number' && phone_key !== null;
  return isTexted ? { phone: phone_key } : undefined;
}

/** Sends a person news about the own money, in the language of the last request. */
export async function tellMoney(parts: Parts, tx: Tx, news: News): Promise<void> {
  const account = await loginById(tx, news.user_id);
  const contact = account && contactFor(account, news.what);
  if (contact) await tell(parts, tx, contact, moneyLetter(news, account.language));
}
