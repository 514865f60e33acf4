import { createBatch } from '@tutoring/shared/kit/batch';
import { afterCommit, type Tx } from '@tutoring/shared/kit/database/open';
import { newestSnapshots } from '@tutoring/shared/contract/subscriptions';
import type { ConsumedEvent } from '@tutoring/shared/kit/events/consume/subscription';
import type { InternalClient } from '@tutoring/shared/contract/client';
import { MAX_BATCH_USERS } from '@tutoring/shared/contract/command-forms';
import { LIVE_CALL_MS } from '../deadlines.ts';
import type { Parts } from '../parts.ts';
import { dropUnsentRings, enqueuePushes } from '../push/push-store.ts';
import { ensureRooms } from '../rooms/room-service.ts';
import { hasStoppedRinging, transitionsOf, notificationOf, type CallChanged, type CallTransition } from './call.ts';
import { saveCalls } from './call-store.ts';

/** Reads live calls from the calls service, batched over viewers so that room lists cannot overload a slow service. */
export const createLiveCalls = (calls: InternalClient<'calls'>) =>
  createBatch({
    processBatch: (ids: number[]) => calls.ask('live-call.read-batch', { user_ids: ids }, { withinMs: LIVE_CALL_MS }),
    size: MAX_BATCH_USERS,
    atOnce: 2,
    maxWaitMs: LIVE_CALL_MS,
  });

async function openRooms(tx: Tx, parts: Parts, transitions: CallTransition[]): Promise<void> {
  const uuids = await ensureRooms(
    tx,
    parts,
    transitions.map(({ call, context }) => ({ student_id: call.student_id, teacher_id: call.teacher_id, context })),
  );
  if (transitions.some(({ call }, index) => call.channel !== uuids[index]))
    throw new Error('ROOM_NAMESPACE differs between calls and messaging: give both the same value');
}

async function notify(tx: Tx, { people, wakePush }: Parts, transitions: CallTransition[], now: string): Promise<void> {
  const over = transitions.filter(hasStoppedRinging).map(({ call }) => call);
  if (over.length > 0) await dropUnsentRings(tx, over);
  const silent = new Set(over.map(({ identifier }) => identifier));
  const notified = transitions.flatMap((transition) => {
    const { call } = transition;
    const notification = notificationOf(transition, now);
    return notification && !(call.state === 'ringing' && silent.has(call.identifier)) ? [{ call, notification }] : [];
  });
  if (notified.length === 0) return;
  const studentIds = new Set(notified.map(({ call }) => call.student_id));
  const personOf = await people.load([...studentIds], tx);
  const addressed = notified.map(({ call, notification }) => ({
    userId: call.teacher_id,
    notification: notification(personOf(call.student_id).name),
  }));
  await enqueuePushes(
    tx,
    addressed.filter(({ notification }) => notification.lifetime > 0),
  );
  afterCommit(tx, wakePush);
}

/** Consumes `call.changed`: creates the room of the two people and queues notifications for the teacher's devices. */
export async function followCalls(tx: Tx, parts: Parts, events: ConsumedEvent<CallChanged>[]): Promise<void> {
  const saved = await saveCalls(tx, newestSnapshots('call.changed', events));
  const transitions = transitionsOf(events, new Map(saved.map((call) => [call.identifier, call])));
  const [first] = saved;
  if (!first) return;
  await openRooms(tx, parts, transitions);
  await notify(tx, parts, transitions, first.now);
}
