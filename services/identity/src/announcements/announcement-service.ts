import type { EventData } from '@tutoring/shared/contract/events';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { tell } from '../delivery/delivery-service.ts';
import type { Parts } from '../parts.ts';
import { moneyLetter } from '../texts.ts';
import { loginById } from '../users/user-store.ts';

/** Mails a person news about the own money, if there is a proven address. */
export async function tellMoney(parts: Parts, tx: Tx, news: EventData<'money.announced'>): Promise<void> {
  const account = await loginById(tx, news.user_id);
  if (!account || account.email_key === null) return;
  await tell(parts, tx, account.email, moneyLetter(news, account.language));
}
