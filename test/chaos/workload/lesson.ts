import { setTimeout as pause } from 'node:timers/promises';
import type { ExpectedCall, Pair } from '../oracle/oracle.ts';
import type { Random } from '../seed.ts';
import type { World } from '../world.ts';
import type { Client } from './client.ts';

const BILL_PATIENCE_MS = 4_000;
const BETWEEN_BILLS_MS = 900;
const LONGEST_CALL_MS = 14_000;

/** A call of the two: it is accepted, billed and ended, or canceled, rejected or missed. */
export function createLesson(world: World, client: Client) {
  const { record, oracle } = world;
  const now = () => Date.now();

  async function ring({ student, teacher }: Pair, type: string): Promise<boolean> {
    const answer = await client.ask({
      method: 'POST',
      path: 'api/call/init',
      by: student,
      body: { teacher_user_id: teacher.id, call_type: type },
      refusals: [402, 409],
    });
    if (answer.kind === 'refused' && answer.status === 402) record.seen('a call was refused for lack of money');
    return answer.kind === 'done';
  }

  async function accept(pair: Pair, type: 'video' | 'audio'): Promise<ExpectedCall | undefined> {
    const { student, teacher } = pair;
    const sent = now();
    // In doubt until the request is confirmed.
    pair.doubtfulAccepts += 1;
    const answer = await client.ask<{ transaction: { identifier: string } }>({
      method: 'POST',
      path: 'api/call/accept',
      by: teacher,
      body: { student_user_id: student.id, call_type: type },
      refusals: [404, 402],
    });
    if (answer.kind !== 'done') return undefined;
    pair.doubtfulAccepts -= 1;
    const { identifier } = answer.data.transaction;
    const call = {
      identifier,
      student: student.id,
      teacher: teacher.id,
      type,
      accepted: [sent, now()],
    } as ExpectedCall;
    oracle.calls.set(identifier, call);
    return call;
  }

  /** Requests a bill. Returns false when the call has ended by itself. */
  async function bill(pair: Pair, call: ExpectedCall): Promise<boolean> {
    const sent = now();
    const answer = await client.attempt({
      method: 'POST',
      path: 'api/call/bill',
      by: pair.teacher,
      body: { identifier: call.identifier },
      refusals: [500],
      patienceMs: BILL_PATIENCE_MS,
    });
    if (answer.kind === 'refused' && !/bill/i.test(answer.message))
      record.violation('unexplained 500', `POST api/call/bill: ${answer.message}`);
    if (answer.kind === 'done') call.billedAt = sent;
    return answer.kind !== 'refused';
  }

  async function hangUp({ student, teacher, room }: Pair, call: ExpectedCall, random: Random): Promise<void> {
    const sent = now();
    call.ended = [sent, Infinity];
    const answer = await client.ask({
      method: 'POST',
      path: 'api/call/end',
      by: random.pick([student, teacher]),
      body: { room_uuid: room, identifier: call.identifier },
    });
    if (answer.kind === 'done') call.ended = [sent, now()];
  }

  async function talk(pair: Pair, call: ExpectedCall, random: Random): Promise<void> {
    const until = now() + random.between(1_000, LONGEST_CALL_MS);
    while (now() < until && !world.isOver()) {
      if (!(await bill(pair, call))) break;
      await pause(random.pauseMs(BETWEEN_BILLS_MS));
    }
    // Sometimes nobody ends the call, as when a battery is empty.
    if (random.chance(0.15)) return;
    await hangUp(pair, call, random);
  }

  return async (pair: Pair, random: Random): Promise<void> => {
    const { student, teacher } = pair;
    const type = random.pick(['video', 'audio'] as const);
    if (!(await ring(pair, type))) return;
    const fate = random.pick(['accepted', 'accepted', 'accepted', 'accepted', 'canceled', 'rejected', 'missed']);
    const ask = (path: string, by: typeof student, body: object) =>
      client.ask({ method: 'POST', path, by, body, refusals: [404] });
    if (fate === 'canceled') await ask('api/call/cancel', student, { teacher_user_id: teacher.id });
    else if (fate === 'rejected') await ask('api/call/reject', teacher, { student_user_id: student.id });
    else if (fate === 'accepted') {
      const call = await accept(pair, type);
      if (call) await talk(pair, call, random);
    }
  };
}
