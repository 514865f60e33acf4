/** Numbers of messages sent within an hour and within a day. */
export interface SentCounts {
  hour: number;
  day: number;
}

/** Limits from the settings: messages in total per day, and per network and hour; `factor` multiplies every limit. */
interface Budget {
  factor: number;
  perDay: number;
  perNetwork: number;
}

/** Whether one more message may be sent. */
export const maySend = (
  { recipient, network, total }: Record<'recipient' | 'network' | 'total', SentCounts>,
  { factor, perDay, perNetwork }: Budget,
) =>
  recipient.hour < 5 * factor &&
  recipient.day < 20 * factor &&
  network.hour < perNetwork * factor &&
  total.day < perDay * factor;

/** Letters about the own account and the own money to one recipient in a day. */
const LETTERS_PER_DAY = { email: 50, sms: 10 };

/** Whether one more of these letters may be sent to a recipient. */
export const mayTell = ({ day }: SentCounts, channel: 'email' | 'sms', factor: number) =>
  day < LETTERS_PER_DAY[channel] * factor;
