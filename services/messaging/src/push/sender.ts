import { counted } from '@tutoring/shared/language/localized';
import { deliverTo } from '@tutoring/shared/process/mailbox';
import type { MessagingConfig } from '../config.ts';
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
export function createPushSender({ FCM_SERVICE_ACCOUNT: account, MAILBOX_FILE: file }: MessagingConfig): PushSender {
  if (account) return createFcmSender(account);
  if (file) return createMailboxSender(file);
  throw new Error('push needs FCM_SERVICE_ACCOUNT or MAILBOX_FILE');
}
