import { SUPER } from '../kit/identity/rights.ts';

/*
 * What administrators may do. Both lists are closed. A route, and a live event for administrators, declares the one
 * right that it needs; a role is a set of rights. The level `su` has every right and needs no role.
 */

/** Each right with what it opens. */
export const RIGHTS = {
  people: 'Find students and teachers, and read their profiles',
  standing: 'Ban, readmit and verify students and teachers',
  contacts: 'See the real e-mail addresses, phone numbers, addresses and payout accounts of people',
  trust: 'Reports and reviews',
  desk: 'Support rooms, their files and cases',
  lessons: 'Calls and bookings',
  money: 'Read payments, deposits, withdrawals, balances, disputes, refunds, payouts and breaks',
  payout: 'Decide on withdrawals; make, export and import batches of payouts',
  approve:
    'Confirm payouts of another administrator, and settle uncertain ones; decide on refunds of deposits and on breaks',
  figures: 'The statistics of the overview',
} as const;
export type Right = keyof typeof RIGHTS;
export const ALL_RIGHTS = Object.keys(RIGHTS) as [Right, ...Right[]];

export const ROLES = {
  all: ALL_RIGHTS,
  support: ['people', 'desk', 'trust', 'lessons'],
  finance: ['people', 'contacts', 'money', 'payout', 'figures'],
  approver: ['people', 'money', 'approve', 'figures'],
  viewer: ['people', 'lessons', 'figures'],
} as const satisfies Record<string, readonly Right[]>;
export type Role = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as [Role, ...Role[]];

/** The roles of an administrator who was given none, and of super administrators. */
export const DEFAULT_ROLES: Role[] = ['all'];

/** Each role once, in the order of the list. */
export const distinctRoles = (roles: readonly Role[]): Role[] => ROLE_NAMES.filter((role) => roles.includes(role));

const includes = (rights: readonly string[], right: string) => rights.includes(right);

/** The union of the rights of all roles, in the order of the list; every right for a super administrator. */
export function rightsOf(level: string, roles: readonly string[]): Right[] {
  if (level === SUPER) return [...ALL_RIGHTS];
  return ALL_RIGHTS.filter((right) => ROLE_NAMES.some((role) => roles.includes(role) && includes(ROLES[role], right)));
}

/** The `rights` of an administrator's identity; undefined stands for every right. */
export function claimedRights(level: string, roles: readonly string[]): Right[] | undefined {
  const rights = rightsOf(level, roles);
  return rights.length === ALL_RIGHTS.length ? undefined : rights;
}
