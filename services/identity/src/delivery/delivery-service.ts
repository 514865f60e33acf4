import { createHash } from 'node:crypto';
import { afterCommit, type Tx } from '@tutoring/shared/kit/database/open';
import { emailKey } from '@tutoring/shared/kit/http/declare/email';
import { currentLanguage } from '@tutoring/shared/kit/process/context';
import type { Language } from '@tutoring/shared/kit/process/language';
import type { Parts } from '../parts.ts';
import { codeLetter, codeSms, invitationLetter, noticeLetter, type LetterPurpose, type Notice } from '../texts.ts';
import { settingValue } from '../settings/setting-store.ts';
import { isOrdinaryNumber, receivesSms } from '../users/phone.ts';
import * as store from './delivery-store.ts';
import { maySend, mayTell, type SentCounts } from './send-budget.ts';

const CODE_MINUTES = 10;
const NOTICE = { code: null, validMinutes: 3 * 24 * 60 };

/** Where a code is sent: by mail, by SMS, or both. `network`: of the client that requested it. */
export interface Recipient {
  email?: string | undefined;
  phone?: string | undefined;
  network: string;
  /** Language of the recipient's last request. */
  language: Language;
}

/** An address for notices. */
export type Contact = { email: string } | { phone: string };

const keyOfRecipient = (to: string) => (to.includes('@') ? emailKey(to) : to);
const hashOf = (recipient: string) => createHash('sha256').update(recipient).digest('base64url');

const NONE: SentCounts = { hour: 0, day: 0 };

/** A message to a recipient, caused by a client network. */
interface ChargedMessage extends Pick<store.Outgoing, 'channel' | 'recipient'> {
  network: string;
  isAllowed: boolean;
}

/** Counts a message. Returns false beyond a budget or unless `isAllowed`; then counts nothing, but takes as long. */
export async function chargeSend(tx: Tx, message: ChargedMessage, factor: number): Promise<boolean> {
  const recipient = `recipient:${hashOf(message.recipient)}`;
  const network = `${message.channel === 'sms' ? 'network-sms' : 'network'}:${message.network}`;
  const keys = [recipient, network, 'total'];
  const counts = await store.lockCounts(tx, keys);
  const sentTo = (key: string) => counts.get(key) ?? NONE;
  const perDay = await settingValue(tx, 'max_sends_per_day');
  const letters = await settingValue(tx, 'max_sends_per_network');
  const perNetwork = message.channel === 'sms' ? Math.floor(letters / 3) : letters;
  const counted = { recipient: sentTo(recipient), network: sentTo(network), total: sentTo('total') };
  const isAdmitted = message.isAllowed && maySend(counted, { factor, perDay, perNetwork });
  await store.countSends(tx, keys, isAdmitted ? 1 : 0);
  return isAdmitted;
}

/** Countries whose numbers get SMS. */
const countriesOf = ({ config: { SMS_COUNTRIES, DEFAULT_COUNTRY } }: Parts) =>
  SMS_COUNTRIES.length > 0 ? SMS_COUNTRIES : [DEFAULT_COUNTRY];

/* The queue of mail and SMS: written in the caller's transaction, delivered by jobs after the commit. */

type CodeMessage = Omit<store.Message, 'validMinutes' | 'isAdmitted'>;

/** Queues a message; wakes the channel's job when `tx` commits. */
async function enqueue({ wakeJob }: Parts, tx: Tx, message: store.Message): Promise<void> {
  await store.insertOutgoing(tx, message);
  afterCommit(tx, () => wakeJob(message.channel));
}

async function charge(parts: Parts, tx: Tx, message: CodeMessage, network: string, isAllowed: boolean) {
  const { channel, recipient } = message;
  const charged = { channel, recipient: keyOfRecipient(recipient), network, isAllowed };
  const isAdmitted = await chargeSend(tx, charged, parts.config.SEND_LIMIT_FACTOR);
  await enqueue(parts, tx, { ...message, validMinutes: CODE_MINUTES, isAdmitted });
  if (!isAdmitted)
    parts.logger.warn(
      { channel, isAllowed },
      'a code was not sent: a send budget is used up, or SMS to this number are not allowed',
    );
  return isAdmitted;
}

/** Queues an SMS. Returns false for other countries, for premium numbers and beyond a send budget or daily limit. */
async function textCode(parts: Parts, tx: Tx, code: string, phone: string, { network, language }: Recipient) {
  if (parts.config.TWILIO_TEST_NUMBERS.has(phone)) return true;
  const today = await store.lockSmsToday(tx, phone);
  const isAllowed = isOrdinaryNumber(phone, countriesOf(parts)) && today < parts.config.SMS_PER_NUMBER_PER_DAY;
  const content = { subject: '', text: codeSms(code, language), html: null, code };
  const isAdmitted = await charge(parts, tx, { channel: 'sms', recipient: phone, ...content }, network, isAllowed);
  await store.countSms(tx, phone, isAdmitted ? 1 : 0);
  return isAdmitted;
}

/** The fixed code of a test number. */
export const testCode = (parts: Parts, number: string) => parts.config.TWILIO_TEST_NUMBERS.get(number);

/** Whether a phone login can be registered with this number, in E.164. */
export const isLoginNumber = (parts: Parts, number: string) =>
  parts.config.TWILIO_TEST_NUMBERS.has(number) || receivesSms(number);

/** Queues a code. Returns false beyond the send budgets; the client must not learn the result. */
export async function sendCode(parts: Parts, tx: Tx, purpose: LetterPurpose, code: string, to: Recipient) {
  const { email: recipient, phone, network, language } = to;
  const letter = { channel: 'email', ...codeLetter(purpose, code, language), code } as const;
  const isMailed = recipient !== undefined && (await charge(parts, tx, { ...letter, recipient }, network, true));
  const isTexted = phone !== undefined && (await textCode(parts, tx, code, phone, to));
  return isMailed || isTexted;
}

/** Whether a number gets letters by SMS. */
const getsSms = (parts: Parts, phone: string) =>
  !parts.config.TWILIO_TEST_NUMBERS.has(phone) && isOrdinaryNumber(phone, countriesOf(parts));

/**
 * Counts a letter. Returns false beyond the recipient's limit of the day; then counts nothing. Codes are counted apart:
 * strangers can cause them and must not use up the letters.
 */
async function countLetter(
  parts: Parts,
  tx: Tx,
  { channel, recipient }: Pick<store.Outgoing, 'channel' | 'recipient'>,
) {
  const key = `letters:${hashOf(keyOfRecipient(recipient))}`;
  const counts = await store.lockCounts(tx, [key]);
  const isAdmitted = mayTell(counts.get(key) ?? NONE, channel, parts.config.SEND_LIMIT_FACTOR);
  await store.countSends(tx, [key], isAdmitted ? 1 : 0);
  if (!isAdmitted)
    parts.logger.warn({ channel }, 'a letter was not sent: the recipient has had the letters of the day');
  return isAdmitted;
}

/** Queues a letter to a person, as mail or SMS, within the recipient's daily limit. */
export async function tell(parts: Parts, tx: Tx, to: Contact, letter: ReturnType<typeof noticeLetter>): Promise<void> {
  if ('phone' in to && !getsSms(parts, to.phone)) return;
  // A typographic apostrophe would halve the characters that fit into one SMS.
  const sms = { subject: '', text: letter.text.replaceAll('’', "'"), html: null };
  const message =
    'email' in to
      ? ({ ...NOTICE, ...letter, channel: 'email', recipient: to.email } as const)
      : ({ ...NOTICE, ...sms, channel: 'sms', recipient: to.phone } as const);
  await enqueue(parts, tx, { ...message, isAdmitted: await countLetter(parts, tx, message) });
}

/** Queues a notice about the recipient's own account, as `tell` does. */
export const notify = (parts: Parts, tx: Tx, to: Contact, about: Notice, language = currentLanguage()): Promise<void> =>
  tell(parts, tx, to, noticeLetter(about, language));

/** Queues the mail with the link of an invitation; send budgets do not apply. */
export const invite = (parts: Parts, tx: Tx, email: string, link: string, language: Language): Promise<void> =>
  enqueue(parts, tx, {
    ...NOTICE,
    channel: 'email',
    recipient: email,
    ...invitationLetter(link, language),
    isAdmitted: true,
  });
