/** What was sent within an hour and within a day. */
export interface Sent {
  hour: number;
  day: number;
}

/** What settings allow: of all together in a day, of one network in an hour; `factor` multiplies every budget. */
interface Budget {
  factor: number;
  perDay: number;
  perNetwork: number;
}

/** Whether one more may be sent. */
export const maySend = (
  { recipient, network, total }: Record<'recipient' | 'network' | 'total', Sent>,
  { factor, perDay, perNetwork }: Budget,
) =>
  recipient.hour < 5 * factor &&
  recipient.day < 20 * factor &&
  network.hour < perNetwork * factor &&
  total.day < perDay * factor;
