import type { ServiceName } from '@tutoring/shared/events/catalogue';

/** Which budget of requests one draws on. `api` counts per person where the bearer is good, all else per address. */
export type LimitClass = 'auth' | 'api' | 'webhooks';

/** Where a public path lives. */
export interface Place {
  owner: ServiceName | 'events' | 'reference';
  limit: LimitClass;
  /** Passed on as it is: no envelope, the real status on the HTTP line. */
  raw: boolean;
}

const place = (owner: Place['owner'], options: Partial<Place> = {}): Place => ({
  owner,
  limit: 'api',
  raw: false,
  ...options,
});

/** Second segment of `/api/admin/<segment>`. */
const ADMIN: Record<string, Place> = {
  auth: place('identity', { limit: 'auth' }),
  admins: place('identity'),
  settings: place('identity'),
  settingsall: place('identity'),
  stats: place('identity'),
  users: place('identity'),
  usersall: place('identity'),
  skills: place('identity'),
  plans: place('identity'),
  auditall: place('identity'),
  deposits: place('wallet'),
  depositsall: place('wallet'),
  withdrawals: place('wallet'),
  withdrawalsall: place('wallet'),
  // Only the refund of a call is an admin's business, and money is the wallet's.
  calls: place('wallet'),
  rooms: place('messaging'),
  services: place('calls'),
};

/** First segment of `/api/<segment>`. */
const PUBLIC: Record<string, Place> = {
  auth: place('identity', { limit: 'auth' }),
  me: place('identity'),
  skills: place('identity'),
  plans: place('identity'),
  teachers: place('identity'),
  assets: place('identity', { raw: true }),
  wallet: place('wallet'),
  deposits: place('wallet'),
  withdrawals: place('wallet'),
  paymentsall: place('wallet'),
  webhooks: place('wallet', { limit: 'webhooks', raw: true }),
  checkout: place('wallet', { raw: true }),
  rooms: place('messaging'),
  support: place('messaging'),
  call: place('calls'),
  calls: place('calls'),
  services: place('calls'),
  events: place('events', { raw: true }),
  'openapi.json': place('reference', { raw: true }),
  docs: place('reference', { raw: true }),
};

const publicPlaces = new Map(Object.entries(PUBLIC));
const adminPlaces = new Map(Object.entries(ADMIN));
const PREFIX = '/api/';
/** A dot segment, plain or encoded, or a backslash: what some parser might resolve to another path. */
const AMBIGUOUS = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * The place of a path (without its query), undefined when no service owns it. The table is the only way in: whatever is
 * not in it, `/internal/...` above all, is unreachable.
 */
export function placeOf(path: string): Place | undefined {
  if (!path.startsWith(PREFIX) || AMBIGUOUS.test(path)) return undefined;
  const first = segmentAt(path, PREFIX.length);
  if (first !== 'admin') return publicPlaces.get(first);
  return adminPlaces.get(segmentAt(path, PREFIX.length + 'admin/'.length));
}

function segmentAt(path: string, start: number): string {
  const end = path.indexOf('/', start);
  return end === -1 ? path.slice(start) : path.slice(start, end);
}

/** Routes that hash a password, outside of those of authentication. */
const HASHING = new Set(['PUT /api/me', 'DELETE /api/me', 'POST /api/admin/admins']);
/** What somebody who is logged in does with the own sessions: no secret can be guessed there. */
const SESSIONS =
  /^(?:[A-Z]+ \/api\/auth\/(?:logout|tokens|sessions|device)(?:\/[^/]*)?|[A-Z]+ \/api\/admin\/auth\/logout|GET \/api\/admin\/auth\/me)$/;

/** The budget that a request draws on, by whether its bearer is good. */
export function limitOf(place: Place | undefined, method: string, path: string, isVerified: boolean): LimitClass {
  const route = `${method} ${path}`;
  if (HASHING.has(route)) return 'auth';
  if (isVerified && SESSIONS.test(route)) return 'api';
  return place?.limit ?? 'api';
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE']);

/** HEAD is refused on purpose; OPTIONS never gets this far. */
export const isForwarded = (method: string) => METHODS.has(method);
export const ALLOWED_METHODS = 'GET, POST, PUT, DELETE, OPTIONS';
