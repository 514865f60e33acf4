import { counted } from '@tutoring/shared/language/localized';
import { deliverTo } from '@tutoring/shared/process/mailbox';
import { catalogue } from '../texts.ts';
import { createFcmSender } from './fcm.ts';
import { secondsLeft, type PushSender } from './push.ts';

const createMailboxSender =
  (file: string): PushSender =>
  async (push, unread) => {
    const text = `${push.body} ${counted(catalogue[push.language].unread, unread, push.language)}`;
    await deliverTo(file, { channel: 'push', to: push.device_key, subject: push.title, text, ttl: secondsLeft(push) });
    return 'sent';
  };

/** Returns the FCM sender when there are credentials, else one that writes to the mailbox file. */
export function createPushSender(config: {
  FCM_SERVICE_ACCOUNT?: string | undefined;
  MAILBOX_FILE?: string | undefined;
}): PushSender {
  if (config.FCM_SERVICE_ACCOUNT) return createFcmSender(config.FCM_SERVICE_ACCOUNT);
  if (config.MAILBOX_FILE) return createMailboxSender(config.MAILBOX_FILE);
  throw new Error('push needs FCM_SERVICE_ACCOUNT or MAILBOX_FILE');
}
