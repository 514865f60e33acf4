import { deliveryJobs, type DeliveryQueue } from '@tutoring/shared/kit/deliveries';
import type { Job } from '@tutoring/shared/kit/jobs';
import { CLAIM_MS } from '../deadlines.ts';
import type { Parts } from '../parts.ts';
import { carriersOf } from './carrier.ts';
import { OUTGOING_COLUMNS, type Outgoing } from './delivery-store.ts';
import { failureOf } from './refusal.ts';

/** Concurrent sends per channel and process. */
const MAX_CONCURRENT_SENDS = 20;

/** Sends queued mail and SMS. */
export function messageJobs({ config, database, logger, metrics }: Parts): Job[] {
  const carriers = carriersOf(config);
  const queueOf = (channel: Outgoing['channel'], purpose: string): DeliveryQueue<Outgoing> => ({
    channel,
    purpose,
    table: 'outgoing',
    where: `channel = '${channel}'`,
    columns: OUTGOING_COLUMNS,
    concurrency: MAX_CONCURRENT_SENDS,
    leaseSeconds: CLAIM_MS / 1_000,
    retry: { first: 2, longest: 300 },
    send: async (message) => {
      const failure = await carriers[channel](message).then(() => undefined, failureOf);
      if (!failure) return 'sent';
      if (!failure.isPermanent) throw new Error(failure.reason);
      const { attempts } = message;
      logger.warn({ channel, attempts, reason: failure.reason }, 'a message was refused for good');
      return 'refused';
    },
  });
  return deliveryJobs({ database, logger, metrics }, [queueOf('email', 'sends e-mails'), queueOf('sms', 'sends SMS')]);
}
