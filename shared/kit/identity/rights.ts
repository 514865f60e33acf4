import type { AdminCaller, Caller } from './auth.ts';

/** The level of super administrators, who have every right. */
export const SUPER = 'su';

/** Needed by a route that every administrator may call. */
export const ANY_RIGHT = 'any';

/** The right to see contact data of people. */
export const CONTACTS_RIGHT = 'contacts';

/**
 * Whether an administrator has the right. An identity without `rights` has all: it belongs to a super administrator or
 * to somebody with every right, or was signed by a release that knows no rights.
 */
export const hasRight = ({ level, rights }: Pick<AdminCaller, 'level' | 'rights'>, right: string): boolean =>
  level === SUPER || rights === undefined || right === ANY_RIGHT || rights.includes(right);

/** Whether the caller sees real contact data. Users see their own, so only an administrator can lack the right. */
export const seesContacts = (caller: Caller): boolean => caller.kind !== 'admin' || hasRight(caller, CONTACTS_RIGHT);
