import type { EventData } from '@tutoring/shared/contract/events';
import { afterCommit, type Tx } from '@tutoring/shared/kit/database/open';
import { fill, mapLanguages } from '@tutoring/shared/kit/language/localized';
import { readableAmount } from '@tutoring/shared/kit/language/money';
import { shortened } from '../messages/message.ts';
import type { Parts } from '../parts.ts';
import { catalogue } from '../texts.ts';
import { DAY, type Notification } from '../push/push.ts';
import { enqueuePushes } from '../push/push-store.ts';

type News = EventData<'money.announced'>;

const moneyNotification = ({ what, id, amount = 0, currency, details }: News): Notification => ({
  kind: 'money',
  texts: mapLanguages(catalogue, (texts, language) => {
    const money = currency === undefined ? '' : readableAmount(amount, currency, language);
    const body = fill(texts.money[what], { amount: money });
    return { title: texts.money.title, body: details === undefined ? body : `${body} (${shortened(details)})` };
  }),
  data: { ...(id !== undefined && { refund_id: String(id) }), event: what },
  lifetime: DAY,
});

/** Queues a notification about a person's own money. */
export async function announceMoney(tx: Tx, { wakePush }: Parts, news: News): Promise<void> {
  await enqueuePushes(tx, [{ userId: news.user_id, notification: moneyNotification(news) }]);
  afterCommit(tx, wakePush);
}
