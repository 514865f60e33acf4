import { afterAll, beforeAll, expect } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { connectBus, topology } from '@tutoring/shared/contract/bus';
import type { Bus } from '@tutoring/shared/kit/events/bus';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { testLimits } from '@tutoring/shared/testing/service';
import { NATS_TIMEOUT } from '@tutoring/shared/testing/wait';
import { natsPasswords } from '../../deploy/local/secrets.ts';
import { natsUrlOf, startNats } from '../../deploy/local/servers.ts';
import { USERS, type UserName } from '../../deploy/nats/users.ts';
import { refusalOf } from './refusal.ts';

/** A publish that is not exported gets no responders; only the operator's account has publish permissions. */
export const REFUSED = expect.stringMatching(/no responders|not enabled|Permissions Violation|not permitted/i);

export const PROCESSES = USERS.filter((user) => user !== 'operator');

/** A server with the NATS users of a deployment and all streams and consumers, and the bus of each user. */
export function connectUsers() {
  const passwords = natsPasswords(USERS);
  const buses = {} as Record<UserName, Bus>;
  let folder: string;
  let nats: Awaited<ReturnType<typeof startNats>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'users-'));
    nats = await startNats({ dataDir: folder, passwords, log: () => undefined });
    const logger = createLogger('test', 'silent');
    for (const user of USERS) {
      const url = natsUrlOf(user, { port: nats.port, passwords });
      buses[user] = await connectBus({ url, prefix: 'tutoring', name: user, limits: testLimits, logger });
    }
    await buses.operator.ensureStreams();
    for (const consumer of topology.allConsumers()) await buses.operator.ensureConsumer(consumer);
  });
  afterAll(async () => {
    for (const bus of Object.values(buses)) await bus.close();
    await nats.stop();
    await rm(folder, { recursive: true, force: true });
  });

  return {
    buses,
    folder: () => folder,
    publishes: (user: UserName, subject: string) =>
      refusalOf(() => buses[user].js.publish(`tutoring.${subject}`, '{}', NATS_TIMEOUT)),
    /**
     * Subscribes like another replica of the process. Drain the connection: after a close the server keeps its interest.
     */
    replicaOf: async (name: UserName) => {
      const received: { subject: string; text: string }[] = [];
      const connection = await connect({
        servers: [`127.0.0.1:${nats.port}`],
        user: `tutoring-${name}`,
        pass: passwords[name]!,
      });
      connection.subscribe('>', {
        callback: (_, message) => void received.push({ subject: message.subject, text: message.string() }),
      });
      await connection.flush();
      return { connection, received };
    },
  };
}
