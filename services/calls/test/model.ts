import type { Party } from './scene.ts';

/** A call as the contract specifies it. */
export interface ModelCall extends Party {
  type: 'video' | 'audio';
  /** Empty until the call is accepted. */
  identifier: string;
  state: 'ringing' | 'active' | 'ended' | 'rejected' | 'missed' | 'canceled';
  rangAt: number;
  acceptedAt: number;
  /** The time of the teacher's last accept or bill, in seconds. */
  teacherActiveAt: number;
  /** The time of the student's last sign of life; undefined before the first one. */
  aliveAt: number | undefined;
  /** Nothing is charged before the first sign of life. */
  needsAlive: boolean;
  /** The number of billed steps. */
  billedSteps: number;
  steps: number;
  total_cost: number;
  held: number;
}

type CallType = ModelCall['type'];

const PRICES = { video: { base: 100, step: 50 }, audio: { base: 50, step: 25 } };
const costOf = (type: CallType, step: number) => PRICES[type].step + (step === 1 ? PRICES[type].base : 0);
const isLive = (call: ModelCall) => call.state === 'ringing' || call.state === 'active';
const isOf = (call: ModelCall, { student, teacher }: Party) => call.student === student && call.teacher === teacher;

/** A model of section 7 of the contract, without locks, wallet and jobs. Time is in seconds. */
export function createModel({ stepSeconds, ringSeconds }: { stepSeconds: number; ringSeconds: number }) {
  const calls: ModelCall[] = [];
  const balances = new Map<number, number>();
  let now = 0;
  let needsAlive = false;

  const live = () => calls.filter(isLive);
  const active = () => calls.filter((call) => call.state === 'active');
  const balance = (user: number) => balances.get(user) ?? 0;
  const add = (user: number, amount: number) => void balances.set(user, balance(user) + amount);
  const available = (student: number) =>
    balance(student) - live().reduce((sum, call) => sum + (call.student === student ? call.held : 0), 0);
  const due = (call: ModelCall) => Math.floor((now - call.acceptedAt) / stepSeconds) + 1;

  const isPayable = (call: ModelCall) => !call.needsAlive || call.aliveAt !== undefined;
  /** When the silence of a participant ends an active call. */
  const silentAt = (call: ModelCall) => {
    const student = call.aliveAt ?? (call.needsAlive ? call.acceptedAt : Infinity);
    return Math.min(call.teacherActiveAt, student) + 2 * stepSeconds;
  };

  /** Charges until `until` steps are charged. Returns false when the money runs out. */
  function charge(call: ModelCall, until: number): boolean {
    while (call.steps < until) {
      const cost = costOf(call.type, call.steps + 1);
      if (balance(call.student) < cost) return false;
      add(call.student, -cost);
      add(call.teacher, cost);
      call.steps += 1;
      call.total_cost += cost;
      call.held = Math.max(0, call.held - cost);
      if (balance(call.student) >= PRICES[call.type].step) call.held = PRICES[call.type].step;
    }
    return true;
  }

  function close(call: ModelCall, state: ModelCall['state']): void {
    call.state = state;
    call.held = 0;
  }

  function elapse(call: ModelCall): void {
    if (call.state === 'ringing' && now >= call.rangAt + ringSeconds) close(call, 'missed');
    if (call.state !== 'active') return;
    if (now >= silentAt(call)) {
      if (isPayable(call)) charge(call, Math.max(1, call.billedSteps));
      close(call, 'ended');
    } else if (call.steps > 0 && due(call) > call.steps && call.held < PRICES[call.type].step) {
      if (balance(call.student) < PRICES[call.type].step) close(call, 'ended');
    }
  }

  /** The times at which the state changes without a command. */
  const boundaries = () =>
    live().flatMap((call) =>
      call.state === 'ringing'
        ? [call.rangAt + ringSeconds]
        : [silentAt(call), ...[1, 2, 3, 4].map((k) => call.acceptedAt + (call.steps + k - 1) * stepSeconds)],
    );

  return {
    now: () => now,
    balance,
    deposit: add,
    active,
    calls: () => calls,
    states: () => calls.map(({ state }) => state),
    /** The teacher's latest accepted call. */
    latestOf: (teacher: number) => calls.findLast((call) => call.teacher === teacher && call.identifier !== ''),

    /** Returns `seconds`, or a few more to stay away from the times at which the state changes. */
    safeSeconds(seconds: number, margin: number): number {
      const near = (after: number) => boundaries().some((boundary) => Math.abs(boundary - (now + after)) <= margin);
      let safe = seconds;
      while (near(safe)) safe += 1;
      return safe;
    },

    pass(seconds: number): void {
      now += seconds;
      calls.forEach(elapse);
    },

    init(party: Party, type: CallType): number {
      const ofStudent = live().find((call) => call.student === party.student);
      if (ofStudent?.state === 'ringing' && ofStudent.teacher === party.teacher)
        return ofStudent.type === type ? 200 : 409;
      if (live().some((call) => call.student === party.student || call.teacher === party.teacher)) return 409;
      if (available(party.student) < costOf(type, 1)) return 402;
      const ringing = { ...party, type, identifier: '', state: 'ringing' as const, rangAt: now };
      const silent = { acceptedAt: 0, teacherActiveAt: 0, aliveAt: undefined, needsAlive: false };
      calls.push({ ...ringing, ...silent, billedSteps: 0, steps: 0, total_cost: 0, held: 0 });
      return 200;
    },

    accept(party: Party, type: CallType): number {
      const call = live().find((candidate) => isOf(candidate, party) && candidate.type === type);
      if (!call) return 404;
      if (call.state === 'active') return 200;
      if (available(call.student) < costOf(type, 1)) {
        close(call, 'canceled');
        return 402;
      }
      Object.assign(call, {
        state: 'active',
        acceptedAt: now,
        teacherActiveAt: now,
        held: costOf(type, 1),
        needsAlive,
      });
      return 200;
    },

    /** Stores the identifier of the pair's live call. */
    setIdentifier(party: Party, identifier: string): void {
      const call = live().find((candidate) => isOf(candidate, party));
      if (call) call.identifier = identifier;
    },

    stopRinging(party: Party, how: 'cancel' | 'reject'): number {
      const call = live().find((candidate) => isOf(candidate, party) && candidate.state === 'ringing');
      if (!call) return 404;
      close(call, how === 'cancel' ? 'canceled' : 'rejected');
      return 200;
    },

    /** Applies to calls that are accepted from now on. */
    requireAlive: (isRequired: boolean) => void (needsAlive = isRequired),

    alive(call: ModelCall): number {
      if (call.state !== 'active') return 409;
      call.aliveAt = now;
      return 200;
    },

    /** Whether the hold pays all due steps. */
    billCovered(call: ModelCall): boolean {
      let owed = 0;
      if (!isPayable(call)) return true;
      for (let step = call.steps + 1; step <= due(call); step += 1) owed += costOf(call.type, step);
      return owed <= call.held || owed === 0;
    },

    bill(call: ModelCall): number {
      if (call.state !== 'active') return 409;
      call.teacherActiveAt = now;
      if (isPayable(call)) call.billedSteps = Math.max(call.billedSteps, due(call));
      if (charge(call, call.billedSteps)) return 200;
      close(call, 'ended');
      return 402;
    },

    end(call: ModelCall): void {
      if (call.state !== 'active') return;
      if (isPayable(call)) charge(call, Math.max(call.billedSteps, due(call)));
      close(call, 'ended');
    },
  };
}

export type Model = ReturnType<typeof createModel>;
