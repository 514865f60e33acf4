import { JetStreamApiError } from '@nats-io/jetstream';
import { row, rows, type Reader } from '../../database/sql.ts';
import { PUBLISH_MS } from '../../process/deadlines.ts';
import type { Logger } from '../../process/logger.ts';
import { SERVICES } from '../../process/names.ts';
import { consumersOf, isConsumerMissing, type Bus } from '../bus.ts';
import { isBeyondEnd } from '../consume/put-back.ts';
import { OUTDATED_BY_NEXT } from '../live.ts';
import type { Acked, Addressed } from './send.ts';

/** How often the stream is asked whether it still has what it acknowledged. */
const CHECK_MS = 1_000;
/** No sequence of any stream. */
const IMPOSSIBLE = Number.MAX_SAFE_INTEGER;
/** How long the services may take to put back consumers that are beyond the end of the stream. */
const PUT_BACK_MS = 30_000;
/** Rows that one statement marks to be sent again. */
const AT_ONCE = 10_000;

/** The stream's rows that it has acknowledged and not dropped by their age, the newest first. */
const ACKED = `from outbox where outbox_lane(subject) = $1 and stream_seq is not null
  and sent_at > clock_timestamp() - $2 * interval '1 second' order by sent_at desc, stream_seq desc`;
const NTH = `select subject, name, stream_seq as seq ${ACKED} offset $3 limit 1`;
/** They keep the place that they had. The newest first: whoever goes on after a crash finds an older one that is lost, too. */
const UNMARK = `update outbox set sent_at = null where id = any(array(select id ${ACKED} limit $3))`;
/** What the next urgent event about the same thing has outdated. */
const DROP = `
  update outbox o set sent_at = clock_timestamp(), stream_seq = null from jsonb_each_text($1::jsonb) as outdated (name, key)
  where o.sent_at is null and o.urgent and o.name = outdated.name and exists (
    select from outbox later where later.sent_at is null and later.urgent and later.id > o.id
      and later.data ->> outdated.key = o.data ->> outdated.key)`;

interface Place extends Addressed {
  seq: number;
}

/** The number that the refusal of an impossible place names. */
function placeIn(error: unknown): number {
  const [, seq] = (error instanceof JetStreamApiError && /wrong last sequence: (\d+)/.exec(error.message)) || [];
  if (seq === undefined) throw error;
  return Number(seq);
}

/**
 * Knows how far a stream has acknowledged a lane's rows, and whether it still has them: NATS acknowledges before its disk
 * has an event, and a store can be put back from an older copy. A stream only ever loses its newest messages.
 */
export function createPlace(options: {
  lane: string;
  manager: Reader;
  bus: Bus;
  logger: Logger;
  subjectOf: (row: Addressed) => string;
}) {
  const { lane, manager, bus, logger, subjectOf } = options;
  /** The newest row that was acknowledged; null: not read from the outbox yet. */
  let last: Place | undefined | null = null;
  let checkedAt = -Infinity;
  let reconnects = -1;
  let lostAt: number | undefined;

  async function streamNow() {
    const { config, state } = await bus.jsm.streams.info(bus.named(lane));
    return { firstSeq: state.first_seq, seconds: config.max_age / 1_000_000_000 };
  }

  /**
   * The place of the newest message on a row's subject, which is this service's alone; 0 when there is none. Asks by a
   * message that the stream must refuse, since that needs no right to read: and the stream's leader answers.
   */
  async function newestLike(place: Place): Promise<number> {
    const expect = { lastSubjectSequence: IMPOSSIBLE };
    const refused = bus.js.publish(subjectOf(place), '', { expect, timeout: PUBLISH_MS });
    return refused.then(() => {
      throw new Error('the stream took a message that it must refuse');
    }, placeIn);
  }

  const nth = (seconds: number, n: number) => row<Place>(manager, NTH, [lane, seconds, n]);

  /** How many of the newest acknowledged rows the stream does not have any more. */
  async function countLost(seconds: number, firstSeq: number): Promise<number> {
    const isLost = async (n: number) => {
      const place = await nth(seconds, n);
      return place !== undefined && place.seq >= firstSeq && (await newestLike(place)) < place.seq;
    };
    if (!(await isLost(0))) return 0;
    let [lost, there] = [0, 1];
    while (await isLost(there)) [lost, there] = [there, 2 * there];
    while (there - lost > 1) {
      const middle = Math.floor((lost + there) / 2);
      if (await isLost(middle)) lost = middle;
      else there = middle;
    }
    return there;
  }

  /** Throws while a consumer is beyond the end: what is sent now would not reach it. */
  async function awaitConsumers(): Promise<void> {
    lostAt ??= performance.now();
    if (lane !== 'events' || performance.now() - lostAt > PUT_BACK_MS) return;
    for (const consumer of SERVICES.flatMap(consumersOf)) {
      const isBeyond = await isBeyondEnd(bus, consumer).catch((error: unknown) => {
        if (isConsumerMissing(error)) return false;
        throw error;
      });
      if (isBeyond) throw new Error(`the stream has lost messages, and ${consumer} is not put back yet`);
    }
  }

  async function sendAgain(seconds: number, count: number): Promise<void> {
    for (let left = count; left > 0; left -= AT_ONCE)
      await rows(manager, UNMARK, [lane, seconds, Math.min(left, AT_ONCE)]);
    await rows(manager, DROP, [JSON.stringify(OUTDATED_BY_NEXT)]);
    logger.error({ stream: lane, events: count }, 'the stream has lost what it had acknowledged: it is sent again');
  }

  return {
    /** False when these rows were stored at places that were taken: the stream has lost some before them. */
    follow(acked: Acked[]): boolean {
      for (const { row, seq, isRepeat } of acked) {
        if (isRepeat) continue;
        if (last && seq <= last.seq) return false;
        last = { subject: row.subject, name: row.name, seq };
      }
      return true;
    },
    doubt: () => void (checkedAt = -Infinity),
    isDue: () => performance.now() - checkedAt >= CHECK_MS || reconnects !== bus.reconnects(),
    /**
     * Asks the stream. Returns whether it has lost rows, which are unsent then; none may be on its way. Throws when the
     * stream does not answer.
     */
    async check(): Promise<boolean> {
      const [at, connection] = [performance.now(), bus.reconnects()];
      if (last === null) last = await nth((await streamNow()).seconds, 0);
      const isThere = !last || (await newestLike(last)) >= last.seq;
      if (!isThere) {
        const { firstSeq, seconds } = await streamNow();
        const count = await countLost(seconds, firstSeq);
        if (count > 0) {
          await awaitConsumers();
          await sendAgain(seconds, count);
        }
        // Of a row that is too old nobody can say any more whether it was there.
        last = await nth(seconds, 0);
        if (last && last.seq < firstSeq) last = undefined;
      }
      lostAt = undefined;
      [checkedAt, reconnects] = [at, connection];
      return !isThere;
    },
  };
}
