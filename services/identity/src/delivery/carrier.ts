import { createCache } from '@tutoring/shared/kit/cache';
import { appendToMailbox } from '@tutoring/shared/kit/process/mailbox';
import type { IdentityConfig } from '../config.ts';
import { CARRIER_MS } from '../deadlines.ts';
import type { Outgoing } from './delivery-store.ts';

/** Hands a message to a provider; rejects if that fails. */
type Carrier = (message: Outgoing) => Promise<void>;

/** Mail by SMTP; the library is loaded at the first e-mail. */
function smtpCarrier(url: string, from: string): Carrier {
  const transport = createCache(async () => {
    const { createTransport } = await import('nodemailer');
    // connectionTimeout lasts until the server's greeting, socketTimeout limits its silence afterwards.
    return createTransport({ url, connectionTimeout: CARRIER_MS, socketTimeout: CARRIER_MS });
  }, Infinity);
  return async ({ recipient: address, subject, text, html }) => {
    const ready = await transport();
    // An object: a string is parsed as a list of recipients, which changes quoted names.
    await ready.sendMail({ from, to: { name: '', address }, subject, text, ...(html !== null && { html }) });
  };
}

/** SMS by Twilio; the library is loaded at the first SMS. */
function twilioCarrier(account: { sid: string; token: string; from: string; apiUrl: string }): Carrier {
  const client = createCache(async () => {
    const { default: twilio } = await import('twilio');
    const ready = twilio(account.sid, account.token, { timeout: CARRIER_MS, lazyLoading: true });
    ready.api.baseUrl = account.apiUrl;
    return ready;
  }, Infinity);
  return async ({ recipient: to, text: body }) => {
    const twilio = await client();
    await twilio.messages.create({ to, from: account.from, body });
  };
}

/** Appends mail and SMS to a local file. */
const mailboxCarrier =
  (file: string): Carrier =>
  ({ channel, recipient: to, subject, text, code }) =>
    appendToMailbox(file, { channel, to, subject, text, ...(code !== null && { code }) });

/** The carrier of each channel: the configured provider, else the mailbox file. */
export function carriersOf(config: IdentityConfig): Record<Outgoing['channel'], Carrier> {
  const { SMTP_URL, TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: token, TWILIO_FROM: from } = config;
  const local = config.MAILBOX_FILE === undefined ? undefined : mailboxCarrier(config.MAILBOX_FILE);
  const email = SMTP_URL ? smtpCarrier(SMTP_URL, config.MAIL_FROM) : local;
  const sms = sid && token && from ? twilioCarrier({ sid, token, from, apiUrl: config.TWILIO_API_URL }) : local;
  if (!email || !sms) throw new Error('no carrier for mail or SMS: set SMTP_URL and TWILIO_*, or MAILBOX_FILE');
  return { email, sms };
}
