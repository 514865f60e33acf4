import { liveEvents } from '@tutoring/shared/contract/live-events';
import { maskOf, type Mask } from '@tutoring/shared/kit/http/declare/contacts';
import type { Right } from '@tutoring/shared/contract/rights';
import { hasRight, seesContacts } from '@tutoring/shared/kit/identity/rights';
import type { Bearer } from '../exchange/exchange.ts';
import type { LiveMessage } from './stored.ts';
import { frameOf } from './stream.ts';

/** The right that administrators need for an event, and how its contacts are masked. */
interface Rule {
  right: Right | undefined;
  mask: Mask | undefined;
}

const rules = new Map<string, Rule>(
  Object.entries(liveEvents).map(([name, { right, schema }]) => [name, { right, mask: maskOf(schema) }]),
);

/** Whether a recipient may have the event now: administrators need its right, and receive no event without one. */
export function mayReceive(caller: Bearer, { name }: Pick<LiveMessage, 'name'>): boolean {
  if (caller.kind !== 'admin') return true;
  const right = rules.get(name)?.right;
  return right !== undefined && hasRight(caller, right);
}

/** The event as SSE text by recipient, made once: with masked contacts for administrators who may not see them. */
export function framesOf(message: LiveMessage): (caller: Bearer) => string {
  let full: string | undefined;
  let masked: string | undefined;
  const mask = rules.get(message.name)?.mask;
  return (caller) =>
    mask && !seesContacts(caller)
      ? (masked ??= frameOf({ ...message, data: mask(message.data) }))
      : (full ??= frameOf(message));
}
