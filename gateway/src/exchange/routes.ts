import { SETTINGS } from '@tutoring/shared/contract/settings';
import { FORM_BYTES } from '@tutoring/shared/kit/http/read/upload';
import type { ServiceName } from '@tutoring/shared/contract/names';

/* The routing table: the owner and special cases of every public path, for admission, proxy, envelope and reference. */

/**
 * A rate limit. `api` counts per person when the bearer is good, otherwise, like all others, per address; `pages` is
 * the dashboard's.
 */
export type LimitClass = 'auth' | 'api' | 'webhooks' | 'pages';

/** The chapters of the API reference, in reading order. */
export const CHAPTERS = {
  Account: 'Register, log in, reset a password, keep a profile',
  'Teachers and catalogue': 'Find a teacher; the skills, plans and services there are',
  'Rooms and messages': 'Chat one to one, ask support',
  Calls: 'Ring, accept, bill, end',
  Money: 'Balance, deposits, withdrawals, payments',
  'Live events': 'What happens, as it happens',
  Administration: 'For the operator’s dashboard',
  Providers: 'For payment providers, not for apps',
};

export type Chapter = keyof typeof CHAPTERS;

/** A difference between the envelope of a path and the usual one. */
interface Quirk {
  /** The service's status to which it applies. */
  of: number;
  /** The path to which it applies; without it, every path of the route. */
  on?: string;
  /** The status in the body instead. */
  bodyStatus?: number;
  /** `data`: the whole refusal is in `data`. `object`: the message is an object that contains the text. */
  shape?: 'data' | 'object';
}

/** A group of public paths with the same owner and properties. */
export interface Route {
  owner: ServiceName | 'events' | 'reference';
  /** Undefined when the paths are not in the reference. */
  chapter: Chapter | undefined;
  limit: LimitClass;
  /** Answers have no envelope, and their real status on the HTTP line. */
  raw: boolean;
  quirks: Quirk[];
  /** The paths that accept files. */
  uploads?: Uploads;
  /** The route serves files: HEAD, ranges and conditional requests are forwarded. */
  download?: true;
}

/** The paths that accept files, and the largest body including the form around the file. */
export interface Uploads {
  on: RegExp;
  bytes: number;
}

const MIB = 1024 * 1024;
const PHOTOS: Uploads = { on: /^\/api\/me\/photo$/, bytes: 5 * MIB + FORM_BYTES };
/** The largest possible setting: messaging enforces the actual one. */
const FILES: Uploads = {
  on: /^\/api\/(?:support|(?:admin\/)?rooms\/[^/]+)\/files$/,
  bytes: SETTINGS.file_max_mb.max * MIB + FORM_BYTES,
};

/** Reports of banks and operators about payouts. */
const REPORTS: Uploads = {
  on: /^\/api\/admin\/(?:payout-batches\/[^/]+\/results|reconciliations)$/,
  bytes: 5 * MIB + FORM_BYTES,
};

const ownedBy = (owner: Route['owner'], chapter: Route['chapter'], options: Partial<Route> = {}): Route => ({
  owner,
  chapter,
  limit: 'api',
  raw: false,
  quirks: [],
  ...options,
});

/** Administrators' routes answer a missing bearer like the wrong role. */
const admin = (owner: Route['owner'], { quirks = [], ...options }: Partial<Route> = {}): Route =>
  ownedBy(owner, 'Administration', { ...options, quirks: [{ of: 401, bodyStatus: 403 }, ...quirks] });

/** Entries of the table for several paths of a route. */
const forPaths = (route: Route, ...paths: string[]) => Object.fromEntries(paths.map((path) => [path, route]));

/** By the segment after `/api/admin/`; paths below it with another owner have entries like `calls/{}/refund`. */
const ADMIN: Record<string, Route> = {
  auth: admin('identity', { limit: 'auth' }),
  admins: admin('identity', { quirks: [{ of: 201, bodyStatus: 201 }] }),
  ...forPaths(
    admin('identity'),
    'roles',
    'invitations',
    'settings',
    'settingsall',
    'stats',
    'users',
    'usersall',
    'skills',
    'plans',
    'auditall',
  ),
  ...forPaths(admin('wallet'), 'deposits', 'depositsall', 'withdrawals', 'withdrawalsall'),
  ...forPaths(admin('wallet'), 'deposit-refunds', 'deposit-refundsall', 'disputes', 'disputesall'),
  ...forPaths(admin('wallet'), 'payout-batchesall', 'breaks', 'breaksall'),
  ...forPaths(admin('wallet', { uploads: REPORTS }), 'payout-batches', 'reconciliations'),
  'payout-batches/{}/file': admin('wallet', { raw: true }),
  // Wallet owns refunds and balances, although these paths begin like those of calls and identity.
  ...forPaths(admin('wallet'), 'calls/{}/refund', 'users/{}/wallet'),
  ...forPaths(admin('calls'), 'calls', 'callsall', 'reviews', 'reviewsall', 'bookingsall', 'services'),
  ...forPaths(admin('messaging'), 'reports', 'reportsall', 'desk'),
  rooms: admin('messaging', { uploads: FILES }),
};

/** Whether the route is that of administrators' own accounts. */
export const isOwnAdminAccount = (route: Route | undefined) => route !== undefined && route === ADMIN['auth'];

const ofTeachers = (owner: Route['owner'], options?: Partial<Route>) =>
  ownedBy(owner, 'Teachers and catalogue', options);

/** By the segment after `/api/`; paths below it that differ have entries like `wallet/transactions.csv`. */
const PUBLIC: Record<string, Route> = {
  auth: ownedBy('identity', 'Account', {
    limit: 'auth',
    quirks: [{ of: 404, on: '/api/auth/register/verify', shape: 'object' }],
  }),
  me: ownedBy('identity', 'Account', { uploads: PHOTOS }),
  'me/export': ownedBy('identity', 'Account', { raw: true }),
  photos: ownedBy('identity', 'Account', { raw: true, download: true }),
  ...forPaths(ofTeachers('identity'), 'skills', 'plans', 'teachers', 'favourites'),
  ...forPaths(ofTeachers('calls'), 'me/availability', 'teachers/{}/slots', 'teachers/{}/reviews', 'services'),
  assets: ofTeachers('identity', { raw: true }),
  ...forPaths(ownedBy('wallet', 'Money'), 'wallet', 'deposits', 'deposit-refunds', 'withdrawals'),
  ...forPaths(ownedBy('wallet', 'Money'), 'payout-methods', 'payout-accounts'),
  'wallet/transactions.csv': ownedBy('wallet', 'Money', { raw: true }),
  paymentsall: ownedBy('wallet', 'Money', { quirks: [{ of: 401, shape: 'data' }] }),
  webhooks: ownedBy('wallet', 'Providers', { limit: 'webhooks', raw: true }),
  checkout: ownedBy('wallet', 'Providers', { raw: true }),
  ...forPaths(ownedBy('messaging', 'Rooms and messages', { uploads: FILES }), 'rooms', 'support'),
  ...forPaths(ownedBy('messaging', 'Rooms and messages'), 'blocks', 'reports'),
  files: ownedBy('messaging', 'Rooms and messages', { raw: true, download: true }),
  call: ownedBy('calls', 'Calls', {
    quirks: [402, 404, 409].map((of) => ({ of, on: '/api/call/bill', bodyStatus: 500 })),
  }),
  ...forPaths(ownedBy('calls', 'Calls'), 'calls', 'bookings', 'reviews'),
  'bookings.ics': ownedBy('calls', 'Calls', { raw: true, download: true }),
  events: ownedBy('events', 'Live events', { raw: true }),
  ...forPaths(ownedBy('reference', undefined, { raw: true }), 'openapi.json', 'docs'),
};

/** Finds the route of a path's part after `start`: the longest matching entry; `{}` matches any single segment. */
function finder(table: Record<string, Route>) {
  const routes = new Map(Object.entries(table));
  const withSubpaths = new Set([...routes.keys()].filter((key) => key.includes('/')).map((key) => segmentAt(key, 0)));
  return (path: string, start: number): Route | undefined => {
    const first = segmentAt(path, start);
    if (!withSubpaths.has(first)) return routes.get(first);
    const [, second, third] = path.slice(start).split('/');
    return routes.get(`${first}/{}/${third}`) ?? routes.get(`${first}/${second}`) ?? routes.get(first);
  };
}

const publicRoute = finder(PUBLIC);
const adminRoute = finder(ADMIN);
const PREFIX = '/api/';
/** A dot segment, plain or encoded, or a backslash: a parser might resolve it to another path. */
const AMBIGUOUS = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * The route of a path without its query; undefined when no service owns it. Paths outside the table, above all
 * `/internal/...`, are unreachable.
 */
export function routeOf(path: string): Route | undefined {
  if (!path.startsWith(PREFIX) || AMBIGUOUS.test(path)) return undefined;
  if (segmentAt(path, PREFIX.length) !== 'admin') return publicRoute(path, PREFIX.length);
  return adminRoute(path, PREFIX.length + 'admin/'.length);
}

function segmentAt(path: string, start: number): string {
  const end = path.indexOf('/', start);
  return end === -1 ? path.slice(start) : path.slice(start, end);
}

/** How the envelope of this path differs from the usual one when a service answers with `status`. */
export const quirkOf = (path: string, status: number, route: Route | undefined): Quirk | undefined =>
  route?.quirks.find(({ of, on }) => of === status && (on === undefined || on === path));

/** Requests outside of authentication that hash a password. */
const PASSWORD_ROUTES = new Set([
  'PUT /api/me',
  'DELETE /api/me',
  'POST /api/payout-accounts',
  'POST /api/admin/admins',
]);
/** Requests with which people manage their own sessions: no secret can be guessed there. */
const SESSION_ROUTES =
  /^(?:[A-Z]+ \/api\/auth\/(?:logout|tokens|sessions|device)(?:\/[^/]*)?|[A-Z]+ \/api\/admin\/auth\/logout|GET \/api\/admin\/auth\/(?:me|totp|rights))$/;

/** The rate limit of a request. `isVerified`: its bearer is good. */
export function limitOf(route: Route | undefined, method: string, path: string, isVerified: boolean): LimitClass {
  const methodAndPath = `${method} ${path}`;
  if (PASSWORD_ROUTES.has(methodAndPath)) return 'auth';
  if (isVerified && route?.limit === 'auth' && SESSION_ROUTES.test(methodAndPath)) return 'api';
  return route?.limit ?? 'api';
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE']);

/** Whether the method is forwarded. HEAD is, only for files; the edge answers OPTIONS. */
export const isForwarded = (method: string, route: Route) =>
  METHODS.has(method) || (method === 'HEAD' && route.download === true);

/** Largest body of this request if it is a file upload; otherwise undefined. */
export const uploadBytes = (route: Route | undefined, method: string, path: string): number | undefined =>
  method === 'POST' && route?.uploads?.on.test(path) ? route.uploads.bytes : undefined;

/** Path of the dashboard's files and pages, unlike `/api/admin/...`. */
export const DASHBOARD = '/admin';
export const isDashboard = (path: string) => path === DASHBOARD || path.startsWith(`${DASHBOARD}/`);

export const ALLOWED_METHODS = 'GET, POST, PUT, DELETE, OPTIONS';
