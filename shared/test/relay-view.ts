import { REPUBLISHED } from '../kit/events/bus.ts';
import type { TestService } from '../testing/service.ts';
import { eventually } from '../testing/wait.ts';

/** Functions by which tests observe the relay of a service. */
export function relayOf(publisher: () => TestService) {
  /** The messages of a stream in order: their data, and whether they have the header of a lost event. */
  async function storedWith(stream: string) {
    const { bus } = publisher().service;
    const { state } = await bus.jsm.streams.info(bus.named(stream));
    if (state.messages === 0) return [];
    const consumer = await bus.js.consumers.get(bus.named(stream));
    const all: { data: Record<string, unknown>; isAgain: boolean }[] = [];
    for await (const message of await consumer.consume()) {
      const { data } = message.json<{ data: Record<string, unknown> }>();
      all.push({ data, isAgain: Boolean(message.headers?.get(REPUBLISHED)) });
      if (message.seq === state.last_seq) break;
    }
    return all;
  }
  const stored = async (stream: string) => (await storedWith(stream)).map(({ data }) => data);
  const unsent = async () =>
    (await publisher().rows<{ n: number }>('select count(*) as n from outbox where sent_at is null'))[0]!.n;
  const drained = () => eventually('everything is sent', async () => (await unsent()) === 0);

  const lease = async () =>
    (
      await publisher().rows<{ holder: string; until: string }>(`select holder, until from lease where name = 'relay'`)
    )[0];
  /** Resolves when the relay has renewed its lease, and so has polled, this often. */
  async function renewed(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      const before = await lease();
      await eventually('the lease is renewed', async () => (await lease())?.until !== before?.until);
    }
  }
  return { stored, storedWith, unsent, drained, lease, renewed };
}
