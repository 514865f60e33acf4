import { afterCommit, type Tx } from '@tutoring/shared/database/open';
import { newestOfEach, type ConsumedEvent } from '@tutoring/shared/events/consume/subscription';
import type { People } from '../people/person-service.ts';
import { dropUnsentRings, enqueuePushes } from '../push/push-store.ts';
import type { Rooms } from '../rooms/room-service.ts';
import { hasStoppedRinging, transitionsOf, notificationOf, type CallChanged, type CallTransition } from './call.ts';
import { saveCalls } from './call-store.ts';

/** Follows the events of calls: opens the room of the two people and notifies the teacher's devices while it rings. */
export function followCalls(deps: { rooms: Rooms; people: People; wakePush: () => void }) {
  const { rooms, people, wakePush } = deps;

  async function openRooms(tx: Tx, transitions: CallTransition[]): Promise<void> {
    const pairs = transitions.map(({ call, context }) => ({
      studentId: call.student_id,
      teacherId: call.teacher_id,
      context,
    }));
    const uuids = await rooms.ensure(tx, pairs);
    if (transitions.some(({ call }, place) => call.channel !== uuids[place]))
      throw new Error('calls and messaging do not share one ROOM_NAMESPACE');
  }

  async function notify(tx: Tx, transitions: CallTransition[], now: string): Promise<void> {
    const over = transitions.filter(hasStoppedRinging).map(({ call }) => call);
    if (over.length > 0) await dropUnsentRings(tx, over);
    const silent = new Set(over.map(({ identifier }) => identifier));
    const notified = transitions.flatMap((one) => {
      const { call } = one;
      const notification = notificationOf(one, now);
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

  return async (tx: Tx, events: ConsumedEvent<CallChanged>[]): Promise<void> => {
    const saved = await saveCalls(tx, newestOfEach('call.changed', events));
    const transitions = transitionsOf(events, new Map(saved.map((call) => [call.identifier, call])));
    const [first] = saved;
    if (!first) return;
    await openRooms(tx, transitions);
    await notify(tx, transitions, first.now);
  };
}
