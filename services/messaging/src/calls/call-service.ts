import type { Tx } from '@tutoring/shared/database/open';
import type { EventData } from '@tutoring/shared/events/catalogue';
import type { People } from '../people/person-service.ts';
import { callOverNotification, incomingCallNotification, missedCallNotification } from '../push/notification.ts';
import { dropUnsentRing, enqueuePush } from '../push/push-store.ts';
import type { Rooms } from '../rooms/room-service.ts';
import { saveCall, type CallNews } from './call-store.ts';

type CallChanged = EventData<'call.changed'>;

/** Follows the events of calls: opens the room of the two people and notifies the teacher's devices while it rings. */
export function createCalls({ rooms, people }: { rooms: Rooms; people: People }) {
  async function notify(tx: Tx, call: CallChanged, { before, ringLeft, age }: CallNews): Promise<void> {
    const details = async () => ({
      from: (await people.load([call.student_id], tx))(call.student_id).name,
      channel: call.channel,
      identifier: call.identifier,
      callType: call.call_type,
      studentId: call.student_id,
    });
    if (call.state === 'ringing') {
      if (before === null && ringLeft > 0)
        await enqueuePush(tx, call.teacher_id, incomingCallNotification(await details(), ringLeft));
      return;
    }
    if (before === 'ringing') await dropUnsentRing(tx, call.teacher_id, call.identifier);
    if (call.state === 'missed' && before !== 'missed') {
      const notification = missedCallNotification(await details(), age);
      if (notification.lifetime > 0) await enqueuePush(tx, call.teacher_id, notification);
    } else if (before === 'ringing') {
      await enqueuePush(tx, call.teacher_id, callOverNotification(await details(), call.state));
    }
  }

  return {
    async applyChange(tx: Tx, call: CallChanged): Promise<void> {
      const news = await saveCall(tx, call);
      if (!news) return;
      const uuid = await rooms.ensure(tx, { studentId: call.student_id, teacherId: call.teacher_id });
      if (uuid !== call.channel) throw new Error('calls and messaging do not share one ROOM_NAMESPACE');
      await notify(tx, call, news);
    },
  };
}

export type Calls = ReturnType<typeof createCalls>;
