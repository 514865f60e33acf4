/** What was sent within an hour and within a day. */
export interface Sent {
  hour: number;
  day: number;
}

/** Whether one more may be sent. `factor` multiplies every budget; `perDay` is the budget of all together. */
export const maySend = (
  { recipient, network, total }: Record<'recipient' | 'network' | 'total', Sent>,
  { factor, perDay }: { factor: number; perDay: number },
) =>
  recipient.hour < 5 * factor &&
  recipient.day < 20 * factor &&
  network.hour < 30 * factor &&
  total.day < perDay * factor;
