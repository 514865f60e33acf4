import type { Tx } from '@tutoring/shared/database/open';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { eventContext, markPublished } from '@tutoring/shared/events/outbox';
import { outgoing } from '../messages/outgoing.ts';
import { sendAll } from '../messages/send-store.ts';
import type { People } from '../people/people.ts';
import { RING_SECONDS, incomingCallNotification, missedCallNotification } from '../push/notification.ts';
import { enqueuePush } from '../push/push-store.ts';
import type { Rooms } from '../rooms/room-service.ts';
import { texts } from '../texts.ts';
import { keepCall } from './call-store.ts';

/** What a call means here: its room exists, the teacher's devices ring, and a missed one leaves a message. */
export function createCalls({ rooms, people }: { rooms: Rooms; people: People }) {
  async function ring(tx: Tx, call: EventData<'call.changed'>): Promise<void> {
    const student = (await people.load([call.student_id], tx))(call.student_id);
    const { channel, identifier, call_type, student_id } = call;
    const told = { from: student.name, channel, identifier, callType: call_type, studentId: student_id };
    await enqueuePush(tx, call.teacher_id, incomingCallNotification(told));
  }

  /** Once per call, whenever and however often it is told: the call's identifier is the message's client id. */
  async function leaveMessage(tx: Tx, call: EventData<'call.changed'>, roomUuid: string): Promise<void> {
    const item = outgoing({
      roomUuid,
      senderId: call.student_id,
      body: { message: texts.missedCall, type: 'message', client_message_id: `missed-call:${call.identifier}` },
      push: missedCallNotification(roomUuid, call.identifier),
      context: eventContext(),
    });
    await sendAll(tx, [item]);
    markPublished(tx);
  }

  return {
    async hear(tx: Tx, call: EventData<'call.changed'>): Promise<void> {
      const news = await keepCall(tx, call);
      if (!news) return;
      const uuid = await rooms.ensure(tx, { studentId: call.student_id, teacherId: call.teacher_id });
      if (uuid !== call.channel) throw new Error('calls and messaging do not share one ROOM_NAMESPACE');
      if (call.state === 'ringing' && news.first && news.age < RING_SECONDS) await ring(tx, call);
      if (call.state === 'missed') await leaveMessage(tx, call, uuid);
    },
  };
}

export type Calls = ReturnType<typeof createCalls>;
