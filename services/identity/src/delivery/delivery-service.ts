import { createHash } from 'node:crypto';
import { afterCommit, type Tx } from '@tutoring/shared/database/open';
import { emailKey } from '@tutoring/shared/http/declare/email';
import { currentLanguage } from '@tutoring/shared/process/context';
import type { Language } from '@tutoring/shared/process/language';
import type { Deps } from '../config.ts';
import { codeLetter, codeSms, noticeLetter, type LetterPurpose, type Notice } from '../texts.ts';
import { settingValue } from '../settings/setting-store.ts';
import { isPlainNumber } from '../users/phone.ts';
import { carriersOf } from './carrier.ts';
import * as store from './delivery-store.ts';
import { maySend, type Sent } from './send-budget.ts';

const BATCH = 20;
const CODE_MINUTES = 10;
const NOTICE = { code: null, validMinutes: 3 * 24 * 60 };

/** A message with a code, and the network of the client that caused it. */
interface CodeMessage {
  to: string;
  code: string;
  network: string;
  /** Language of the reader's last request. */
  language: Language;
}

/** Where somebody is reached. */
export type Contact = { email: string } | { phone: string };

const keyOfRecipient = (to: string) => (to.includes('@') ? emailKey(to) : to);

const NONE: Sent = { hour: 0, day: 0 };

/**
 * Counts a message to a recipient, caused by a client network. Returns false, and counts nothing,
 * when a budget is used up or `isAllowed` is false; that costs the same.
 */
export async function chargeSend(
  tx: Tx,
  message: { recipient: string; network: string; isAllowed: boolean },
  factor: number,
): Promise<boolean> {
  const recipient = `recipient:${createHash('sha256').update(message.recipient).digest('base64url')}`;
  const network = `network:${message.network}`;
  const keys = [recipient, network, 'total'];
  const counts = await store.lockCounts(tx, keys);
  const sentTo = (key: string) => counts.get(key) ?? NONE;
  const perDay = await settingValue(tx, 'max_sends_per_day');
  const counted = { recipient: sentTo(recipient), network: sentTo(network), total: sentTo('total') };
  const isAdmitted = message.isAllowed && maySend(counted, { factor, perDay });
  await store.countSends(tx, keys, isAdmitted ? 1 : 0);
  return isAdmitted;
}

/** The queue of mail and SMS: written with the transaction, delivered after it. */
export function createDelivery({ config, database, logger, wakeJob }: Deps) {
  const { SMS_COUNTRIES, DEFAULT_COUNTRY, TWILIO_TEST_NUMBERS: testNumbers } = config;
  const countries = SMS_COUNTRIES.length > 0 ? SMS_COUNTRIES : [DEFAULT_COUNTRY];
  const carriers = carriersOf(config);

  /** The job delivers it when `tx` has committed. */
  async function enqueue(tx: Tx, message: store.Message): Promise<void> {
    await store.insertOutgoing(tx, message);
    afterCommit(tx, () => wakeJob('delivery'));
  }

  async function deliver(message: store.Outgoing): Promise<void> {
    try {
      await carriers[message.channel](message);
    } catch (error) {
      logger.warn({ err: error, channel: message.channel, attempts: message.attempts }, 'a message was not delivered');
      return;
    }
    await database.autocommit((tx) => store.removeOutgoing(tx, [message.id]));
  }

  async function sendCode(
    tx: Tx,
    channel: store.Outgoing['channel'],
    { to: recipient, code, network }: CodeMessage,
    content: Pick<store.Outgoing, 'subject' | 'text' | 'html'>,
    isAllowed: boolean,
  ): Promise<boolean> {
    const charged = { recipient: keyOfRecipient(recipient), network, isAllowed };
    const isAdmitted = await chargeSend(tx, charged, config.SEND_LIMIT_FACTOR);
    await enqueue(tx, { channel, recipient, ...content, code, validMinutes: CODE_MINUTES, isAdmitted });
    if (!isAdmitted) logger.warn({ channel, isAllowed }, 'a code was not sent');
    return isAdmitted;
  }

  return {
    /** The fixed code of a test number. */
    testCode: (number: string) => testNumbers.get(number),

    /** Returns whether it is sent: not beyond the budgets. The person who asked must not learn the result. */
    mailCode: (tx: Tx, purpose: LetterPurpose, message: CodeMessage) =>
      sendCode(tx, 'email', message, codeLetter(purpose, message.code, message.language), true),

    /** The same by SMS; nothing is sent to other countries, premium numbers or beyond the number's daily allowance. */
    async smsCode(tx: Tx, message: CodeMessage): Promise<boolean> {
      if (testNumbers.has(message.to)) return true;
      const today = await store.lockSmsToday(tx, message.to);
      const isAllowed = isPlainNumber(message.to, countries) && today < config.SMS_PER_NUMBER_PER_DAY;
      const content = { subject: '', text: codeSms(message.code, message.language), html: null };
      const isAdmitted = await sendCode(tx, 'sms', message, content, isAllowed);
      await store.countSms(tx, message.to, isAdmitted ? 1 : 0);
      return isAdmitted;
    },

    /** A notice about one's own account, by mail or by SMS: it counts in no budget. */
    notify(tx: Tx, to: Contact, about: Notice, language = currentLanguage()): Promise<void> {
      const letter = noticeLetter(about, language);
      if ('email' in to)
        return enqueue(tx, { ...NOTICE, channel: 'email', recipient: to.email, ...letter, isAdmitted: true });
      const isAdmitted = !testNumbers.has(to.phone) && isPlainNumber(to.phone, countries);
      // A typographic apostrophe would halve the characters that fit into one SMS.
      const text = letter.text.replaceAll('’', "'");
      return enqueue(tx, { ...NOTICE, channel: 'sms', recipient: to.phone, subject: '', text, html: null, isAdmitted });
    },

    /** Job: delivers what is due. */
    async deliverDue(): Promise<void> {
      for (;;) {
        const due = await database.transact((tx) => store.claimDue(tx, BATCH));
        await Promise.all(due.map(deliver));
        if (due.length < BATCH) break;
      }
      const expired = await database.autocommit(store.removeExpired);
      if (expired > 0) logger.warn({ messages: expired }, 'messages expired before they could be delivered');
    },
  };
}

export type Delivery = ReturnType<typeof createDelivery>;
