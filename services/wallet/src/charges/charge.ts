import type { EventContext } from '@tutoring/shared/events/publish/outbox';

/** A step of a call to be paid: from the hold first, from available money for the rest. */
export interface Charge {
  reference: string;
  hold: string;
  studentId: number;
  teacherId: number;
  amount: number;
  commissionPercent: number;
  nextAmount: number;
  identifier: string;
  callType: string;
  /** Context of the request, for the events. */
  context: EventContext;
}

/** The result of one charge. `reserved` below the requested next amount means that the next step is not covered. */
export interface ChargeVerdict {
  verdict: 'done' | 'repeated' | 'refused' | 'conflict';
  charged: number;
  reserved: number;
  available: number;
}
