import type { Logger } from '../../process/logger.ts';
import type { Bus } from '../bus.ts';

/** More than relays that have lost nothing publish before a consumer is put back. */
const MARGIN = 10_000;

/** Whether the consumer has passed the end of the stream, which has lost messages: as many new ones would not reach it. */
export async function isBeyondEnd({ jsm, named }: Bus, consumer: string): Promise<boolean> {
  const { delivered } = await jsm.consumers.info(named('events'), named(consumer));
  const { state } = await jsm.streams.info(named('events'));
  return delivered.stream_seq > state.last_seq;
}

/** Puts back a consumer that is beyond the end. What it is given again, the inbox drops. */
export async function putBack(bus: Bus, consumer: string, logger: Logger): Promise<void> {
  if (!(await isBeyondEnd(bus, consumer))) return;
  const { jsm, named, connection } = bus;
  const stream = named('events');
  const { state } = await jsm.streams.info(stream);
  const seq = Math.max(state.first_seq, state.last_seq + 1 - MARGIN, 1);
  const answer = await connection.request(
    `$JS.API.CONSUMER.RESET.${stream}.${named(consumer)}`,
    JSON.stringify({ seq }),
  );
  const { error } = answer.json<{ error?: { description: string } }>();
  if (error) throw new Error(`the consumer ${consumer} is not put back: ${error.description}`);
  logger.error({ consumer, seq }, 'the stream has lost messages: its consumer goes back to its end');
}
