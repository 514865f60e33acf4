import { administrators } from './administrators.ts';
import { audit } from './audit.ts';
import type { Binding } from './binding.ts';
import { bookings } from './bookings.ts';
import { breaks } from './breaks.ts';
import { calls } from './calls.ts';
import { deposits } from './deposits.ts';
import { disputes } from './disputes.ts';
import { payments } from './payments.ts';
import { payouts } from './payouts.ts';
import { people } from './people.ts';
import { plans } from './plans.ts';
import { refunds } from './refunds.ts';
import { reports } from './reports.ts';
import { reviews } from './reviews.ts';
import { services } from './services.ts';
import { settings } from './settings.ts';
import { skills } from './skills.ts';
import { withdrawals } from './withdrawals.ts';

/** Every resource of react-admin. Its name is also the path of its pages. */
export const bindings = {
  people,
  deposits,
  withdrawals,
  payouts,
  payments,
  disputes,
  refunds,
  breaks,
  calls,
  bookings,
  reviews,
  reports,
  skills,
  plans,
  services,
  settings,
  administrators,
  audit,
} satisfies Record<string, Binding>;

export type ResourceName = keyof typeof bindings;

type Bindings = typeof bindings;
/** A row of a resource's list. */
export type RowOf<Name extends ResourceName> = Awaited<ReturnType<Bindings[Name]['list']>>['data'][number];
/** The record shown on a record page. */
export type RecordOf<Name extends 'calls' | 'disputes' | 'people'> = Awaited<ReturnType<Bindings[Name]['get']>>;

export const bindingOf = (resource: string): Binding => {
  const binding = new Map<string, Binding>(Object.entries(bindings)).get(resource);
  if (!binding) throw new Error(`There is no resource ${resource}`);
  return binding;
};
