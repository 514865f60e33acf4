import { SETTINGS } from '@tutoring/shared/events/settings';
import { FORM_BYTES } from '@tutoring/shared/http/read/upload';
import type { ServiceName } from '@tutoring/shared/process/names';

/* Every public path: its owner and its special cases. Admission, proxy, envelope and reference read this one table. */

/**
 * The rate limit of a path. `api` counts per person where the bearer is good, all else per address; `pages` is the
 * dashboard's.
 */
export type LimitClass = 'auth' | 'api' | 'webhooks' | 'pages';

/** The chapters of the reference, in reading order. */
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

/** How the envelope of a path differs from all others. */
interface Quirk {
  /** The service's status that it applies to. */
  of: number;
  /** Only on this path; without it on every path of the place. */
  on?: string;
  /** The status in the body instead. */
  bodyStatus?: number;
  /** `data`: the whole refusal is in `data`. `object`: its sentence is in an object. */
  shape?: 'data' | 'object';
}

/** What the gateway knows about a public path. */
export interface Place {
  owner: ServiceName | 'events' | 'reference';
  /** Undefined: not in the reference. */
  chapter: Chapter | undefined;
  limit: LimitClass;
  /** Passed on unchanged: no envelope, the real status on the HTTP line. */
  raw: boolean;
  quirks: Quirk[];
  /** Some of its paths take files. */
  uploads?: Uploads;
  /** It serves files: HEAD, ranges and conditional requests are passed on. */
  download?: true;
}

/** The paths of a place that take files, and the largest whole body. */
export interface Uploads {
  on: RegExp;
  bytes: number;
}

const MIB = 1024 * 1024;
const PHOTOS: Uploads = { on: /^\/api\/me\/photo$/, bytes: 5 * MIB + FORM_BYTES };
/** Messaging enforces the setting itself. */
const FILES: Uploads = {
  on: /^\/api\/(?:support|(?:admin\/)?rooms\/[^/]+)\/files$/,
  bytes: SETTINGS.file_max_mb.max * MIB + FORM_BYTES,
};

const place = (owner: Place['owner'], chapter: Place['chapter'], options: Partial<Place> = {}): Place => ({
  owner,
  chapter,
  limit: 'api',
  raw: false,
  quirks: [],
  ...options,
});

/** Administrators' routes give the same answer to a missing bearer as to the wrong role. */
const admin = (owner: Place['owner'], { quirks = [], ...options }: Partial<Place> = {}): Place =>
  place(owner, 'Administration', { ...options, quirks: [{ of: 401, bodyStatus: 403 }, ...quirks] });

/** Several paths of one place. */
const all = (same: Place, ...paths: string[]) => Object.fromEntries(paths.map((path) => [path, same]));

/** Second segment of `/api/admin/<segment>`; paths below it with another owner have entries like `calls/{}/refund`. */
const ADMIN: Record<string, Place> = {
  auth: admin('identity', { limit: 'auth' }),
  admins: admin('identity', { quirks: [{ of: 201, bodyStatus: 201 }] }),
  ...all(admin('identity'), 'settings', 'settingsall', 'stats', 'users', 'usersall', 'skills', 'plans', 'auditall'),
  ...all(admin('wallet'), 'deposits', 'depositsall', 'withdrawals', 'withdrawalsall'),
  // Wallet owns money.
  ...all(admin('wallet'), 'calls/{}/refund', 'users/{}/wallet'),
  ...all(admin('calls'), 'calls', 'callsall', 'reviews', 'reviewsall', 'bookingsall', 'services'),
  ...all(admin('messaging'), 'reports', 'reportsall'),
  rooms: admin('messaging', { uploads: FILES }),
};

/** Where administrators change their own accounts. */
export const isOwnAdminAccount = (at: Place | undefined) => at !== undefined && at === ADMIN['auth'];

const ofTeachers = (owner: Place['owner'], options?: Partial<Place>) => place(owner, 'Teachers and catalogue', options);

/** First segment of `/api/<segment>`; paths below it that differ have entries like `wallet/transactions.csv`. */
const PUBLIC: Record<string, Place> = {
  auth: place('identity', 'Account', {
    limit: 'auth',
    quirks: [{ of: 404, on: '/api/auth/register/verify', shape: 'object' }],
  }),
  me: place('identity', 'Account', { uploads: PHOTOS }),
  'me/export': place('identity', 'Account', { raw: true }),
  photos: place('identity', 'Account', { raw: true, download: true }),
  ...all(ofTeachers('identity'), 'skills', 'plans', 'teachers', 'favourites'),
  ...all(ofTeachers('calls'), 'me/availability', 'teachers/{}/slots', 'teachers/{}/reviews', 'services'),
  assets: ofTeachers('identity', { raw: true }),
  ...all(place('wallet', 'Money'), 'wallet', 'deposits', 'withdrawals'),
  'wallet/transactions.csv': place('wallet', 'Money', { raw: true }),
  paymentsall: place('wallet', 'Money', { quirks: [{ of: 401, shape: 'data' }] }),
  webhooks: place('wallet', 'Providers', { limit: 'webhooks', raw: true }),
  checkout: place('wallet', 'Providers', { raw: true }),
  ...all(place('messaging', 'Rooms and messages', { uploads: FILES }), 'rooms', 'support'),
  ...all(place('messaging', 'Rooms and messages'), 'blocks', 'reports'),
  files: place('messaging', 'Rooms and messages', { raw: true, download: true }),
  call: place('calls', 'Calls', {
    quirks: [402, 404, 409].map((of) => ({ of, on: '/api/call/bill', bodyStatus: 500 })),
  }),
  ...all(place('calls', 'Calls'), 'calls', 'bookings', 'reviews'),
  'bookings.ics': place('calls', 'Calls', { raw: true, download: true }),
  events: place('events', 'Live events', { raw: true }),
  ...all(place('reference', undefined, { raw: true }), 'openapi.json', 'docs'),
};

/** Finds the place of the rest of a path after `start`: by the longest entry of the table, `{}` for any one segment. */
function finder(table: Record<string, Place>) {
  const places = new Map(Object.entries(table));
  const divided = new Set([...places.keys()].filter((key) => key.includes('/')).map((key) => segmentAt(key, 0)));
  return (path: string, start: number): Place | undefined => {
    const first = segmentAt(path, start);
    if (!divided.has(first)) return places.get(first);
    const [, second, third] = path.slice(start).split('/');
    return places.get(`${first}/{}/${third}`) ?? places.get(`${first}/${second}`) ?? places.get(first);
  };
}

const publicPlace = finder(PUBLIC);
const adminPlace = finder(ADMIN);
const PREFIX = '/api/';
/** A dot segment, plain or encoded, or a backslash: some parser might resolve it to another path. */
const AMBIGUOUS = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * The place of a path (without its query), undefined when no service owns it. The table is the only way in: other
 * paths, above all `/internal/...`, are unreachable.
 */
export function placeOf(path: string): Place | undefined {
  if (!path.startsWith(PREFIX) || AMBIGUOUS.test(path)) return undefined;
  if (segmentAt(path, PREFIX.length) !== 'admin') return publicPlace(path, PREFIX.length);
  return adminPlace(path, PREFIX.length + 'admin/'.length);
}

function segmentAt(path: string, start: number): string {
  const end = path.indexOf('/', start);
  return end === -1 ? path.slice(start) : path.slice(start, end);
}

/** How the envelope of this path differs when a service answers with `status`. */
export const quirkOf = (path: string, status: number, at: Place | undefined): Quirk | undefined =>
  at?.quirks.find(({ of, on }) => of === status && (on === undefined || on === path));

/** Routes outside of authentication that hash a password. */
const HASHING = new Set(['PUT /api/me', 'DELETE /api/me', 'POST /api/admin/admins']);
/** Routes by which logged-in people manage their own sessions: no secret can be guessed there. */
const SESSIONS =
  /^(?:[A-Z]+ \/api\/auth\/(?:logout|tokens|sessions|device)(?:\/[^/]*)?|[A-Z]+ \/api\/admin\/auth\/logout|GET \/api\/admin\/auth\/(?:me|totp))$/;

/** The rate limit of a request, by whether its bearer is good. */
export function limitOf(place: Place | undefined, method: string, path: string, isVerified: boolean): LimitClass {
  const route = `${method} ${path}`;
  if (HASHING.has(route)) return 'auth';
  if (isVerified && place?.limit === 'auth' && SESSIONS.test(route)) return 'api';
  return place?.limit ?? 'api';
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE']);

/** HEAD is refused on purpose except for files; the edge answers OPTIONS. */
export const isForwarded = (method: string, at: Place) =>
  METHODS.has(method) || (method === 'HEAD' && at.download === true);

/** Largest body of this request when it holds a file; otherwise undefined. */
export const uploadBytes = (at: Place | undefined, method: string, path: string): number | undefined =>
  method === 'POST' && at?.uploads?.on.test(path) ? at.uploads.bytes : undefined;

/** Below it are the dashboard's files and pages; `/api/admin/...` is not. */
export const DASHBOARD = '/admin';
export const isDashboard = (path: string) => path === DASHBOARD || path.startsWith(`${DASHBOARD}/`);

export const ALLOWED_METHODS = 'GET, POST, PUT, DELETE, OPTIONS';
