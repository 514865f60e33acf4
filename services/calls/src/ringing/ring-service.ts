import type { Tx } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { roomUuid } from '@tutoring/shared/internal/room-uuid';
import { readSettings } from '@tutoring/shared/internal/setting-copies';
import { isLive, type Call, type CallType, type LockedCall } from '../call/call.ts';
import { insertCall, lockCallers, lockLiveCallOfPair, lockLiveCalls, ringsOfPair } from '../call/call-store.ts';
import { paidSeconds, stepCost } from '../call/meter.ts';
import { announce, applyLapse, callFacts, stopRinging } from '../call/call-service.ts';
import { keptFreeFor } from '../bookings/booking-store.ts';
import { serviceFor } from '../pricing/pricing-store.ts';
import type { Service } from '../pricing/service.ts';
import { isBlocked, type Person } from '../copies/copy-store.ts';
import { reachable } from '../copies/person-service.ts';
import type { Parts } from '../parts.ts';
import { conflict, insufficientFunds, noRingingCall, tooManyRings } from '../errors.ts';
import { tokenSeconds } from '../provider/rtc.ts';
import { texts } from '../texts.ts';

const INSERT_ATTEMPTS = 3;

const SETTINGS = ['call_ring_timeout_seconds', 'require_verified_teacher', 'max_free_rings'] as const;
type Settings = Record<(typeof SETTINGS)[number], number>;

const summary = ({ id, name, photo }: Person) => ({ id, name, photo });

interface RingPlan {
  student: Person;
  teacher: Person;
  type: CallType;
  service: Service;
  settings: Settings;
  /** The student's available balance. */
  available: number;
}

/** A call until it is accepted: init, reject and cancel. */
export function createRinging({ database, people, wallet, rtc, roomNamespace }: Parts) {
  async function callable(studentId: number, teacherId: number, settings: Settings) {
    const found = await people.find([studentId, teacherId]);
    const pair = reachable([found.get(studentId), found.get(teacherId)], {
      field: 'teacher_user_id',
      verifiedOnly: settings.require_verified_teacher === 1,
      banned: texts.teacherUnavailable,
    });
    // A block stays secret: the teacher seems to be busy.
    assertThat(!(await isBlocked(database.manager, studentId, teacherId)), () => conflict(texts.busy.teacher));
    return pair;
  }

  /** Returns the live call when the request repeats it. Throws conflict when either person is in another live call. */
  async function lockFree(tx: Tx, { student, teacher, type }: Pick<RingPlan, 'student' | 'teacher' | 'type'>) {
    await lockCallers(tx, [student.id]);
    const live: LockedCall[] = [];
    for (const found of await lockLiveCalls(tx, [student.id, teacher.id])) {
      const call = await applyLapse(tx, found);
      if (isLive(call.state)) live.push(call);
    }
    const mine = live.find((call) => call.student_id === student.id);
    const same = mine?.state === 'ringing' && mine.teacher_id === teacher.id ? mine : undefined;
    assertThat(!same || same.call_type === type, () => conflict(texts.busy.otherType));
    if (same) return same;
    assertThat(!mine, () => conflict(texts.busy.student));
    assertThat(live.length === 0, () => conflict(texts.busy.teacher));
    return undefined;
  }

  /** One attempt in one transaction. Returns undefined when another call of theirs began at the same instant. */
  async function ringOnce(tx: Tx, plan: RingPlan): Promise<Call | undefined> {
    const { student, teacher, type, service } = plan;
    const same = await lockFree(tx, plan);
    if (same) return same;
    assertThat(!(await isBlocked(tx, student.id, teacher.id)), () => conflict(texts.busy.teacher));
    const keptFor = await keptFreeFor(tx, teacher.id);
    assertThat(keptFor === undefined || keptFor === student.id, () => conflict(texts.busy.teacher));
    const { call_ring_timeout_seconds: ringSeconds, max_free_rings: most } = plan.settings;
    const { now, wait } = await ringsOfPair(tx, student.id, teacher.id, most);
    if (wait !== null) throw tooManyRings(wait);
    const life = tokenSeconds(ringSeconds, paidSeconds({ ...service, steps: 0, elapsed_us: 0 }, plan.available));
    const channel = roomUuid(roomNamespace, student.id, teacher.id);
    const call = await insertCall(tx, {
      call_type: type,
      channel,
      student_id: student.id,
      teacher_id: teacher.id,
      service_id: service.id,
      now,
      ring_seconds: ringSeconds,
      rtc_token: rtc.sharedToken(channel, life),
      token_seconds: life,
    });
    if (!call) return undefined;
    const people = { student: summary(student), teacher: summary(teacher) };
    const data = { ...callFacts(call), expires_at: call.ring_expires_at, ...people };
    await announce(tx, call, { to: { user: teacher.id }, event: 'call.ringing', data });
    return call;
  }

  /** Applies the command to the ringing call of the pair. Throws not_found when none rings. */
  async function stop(studentId: number, teacherId: number, command: 'reject' | 'cancel'): Promise<void> {
    const stopped = await database.transact(async (tx) => {
      const call = await lockLiveCallOfPair(tx, studentId, teacherId);
      return call && stopRinging(tx, await applyLapse(tx, call), command);
    });
    assertThat(stopped, noRingingCall);
  }

  return {
    /**
     * Rings the teacher. Repeated while it rings, it returns the same call. Throws invalid for an unknown teacher;
     * conflict when either is busy, one has blocked the other or the teacher may not be called; payment_required when
     * the first step is not covered; rate_limited after too many free rings; unavailable when identity or wallet must
     * be asked and does not answer.
     */
    async init(studentId: number, teacherId: number, type: CallType): Promise<Call> {
      const settings = await readSettings(database.manager, SETTINGS);
      const { student, teacher } = await callable(studentId, teacherId, settings);
      const service = await serviceFor(database.manager, type);
      const cost = stepCost(1, service);
      // Only an early check, which spares the teacher a useless call: the hold at acceptance decides.
      const available = cost === 0 ? 0 : await wallet.available(studentId);
      if (available < cost) {
        // The money may be in the call that makes them busy.
        const same = await database.transact((tx) => lockFree(tx, { student, teacher, type }));
        assertThat(same, () => insufficientFunds(texts.notEnoughMoney));
        return same;
      }
      const plan = { student, teacher, type, service, settings, available };
      for (let attempt = 1; attempt <= INSERT_ATTEMPTS; attempt += 1) {
        const call = await database.transact((tx) => ringOnce(tx, plan));
        if (call) return call;
      }
      throw conflict(texts.busy.teacher);
    },

    reject: (teacherId: number, studentId: number) => stop(studentId, teacherId, 'reject'),

    cancel: (studentId: number, teacherId: number) => stop(studentId, teacherId, 'cancel'),
  };
}
