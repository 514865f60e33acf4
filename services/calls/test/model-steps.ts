import fc from 'fast-check';
import type { CrashPoint } from '@tutoring/shared/testing/database-proxy';
import { crashPoints } from '@tutoring/shared/testing/lives';

export interface Aimed {
  student: 0 | 1;
  teacher: 0 | 1;
  type: 'video' | 'audio';
  /** The step applies to the ringing call, if there is one, and not to `student` and `teacher`. */
  aimed: boolean;
}

type Request = 'init' | 'cancel' | 'accept' | 'reject' | 'bill' | 'alive' | 'end';

/** A step of a random test: a request, time passing, a failure of wallet or a death of the service. */
export type Step =
  | ({ what: 'begin' | 'init' | 'cancel' | 'accept' | 'reject' } & Aimed)
  | { what: 'bill' | 'alive' | 'end'; teacher: 0 | 1; by: 'student' | 'teacher' }
  /** The setting `require_student_alive`. */
  | { what: 'require'; value: 0 | 1 }
  | { what: 'pass'; seconds: number }
  | { what: 'deposit'; student: 0 | 1; amount: number }
  | { what: 'wallet'; mode: 'down' | 'loses answers' }
  | ({ what: 'die'; during: Request; by: 'student' | 'teacher'; death: CrashPoint } & Aimed);

const who = fc.constantFrom<0 | 1>(0, 1);
const type = fc.constantFrom<'video' | 'audio'>('video', 'video', 'video', 'audio');
/** Mostly true: with random users, most tests would contain no lesson. */
const aimed = fc.constantFrom(true, true, true, false);
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constantFrom<'begin' | 'init' | 'accept'>('begin', 'begin', 'init', 'accept'),
      student: who,
      teacher: who,
      type,
      aimed,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constantFrom<'cancel' | 'reject'>('cancel', 'reject'),
      student: who,
      teacher: who,
      type,
      aimed,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constantFrom<'bill' | 'alive' | 'end'>('bill', 'bill', 'bill', 'alive', 'alive', 'end'),
      teacher: who,
      by: fc.constantFrom<'student' | 'teacher'>('student', 'teacher'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('require' as const), value: fc.constantFrom<0 | 1>(0, 1) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('pass' as const),
      seconds: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 31, max: 100 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('deposit' as const),
      student: who,
      amount: fc.constantFrom(60, 150, 400),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('wallet' as const),
      mode: fc.constantFrom<'down' | 'loses answers'>('down', 'loses answers'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('die' as const),
      during: fc.constantFrom<Request>(
        'init',
        'cancel',
        'accept',
        'accept',
        'reject',
        'bill',
        'bill',
        'alive',
        'end',
        'end',
      ),
      student: who,
      teacher: who,
      type,
      aimed,
      by: fc.constantFrom<'student' | 'teacher'>('student', 'teacher'),
      death: crashPoints(3),
    }),
  },
);
