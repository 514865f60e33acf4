import { createHash } from 'node:crypto';
import { PEOPLE, type Part } from './fill.ts';

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: Record<string, unknown>;
  by: 'admin' | 'student';
}

/** The n-th request of a kind, among `size` rows. */
export type Kind = (size: number, n: number) => Request;

const page = (items: number, share: number) => Math.max(1, Math.ceil((items / 15) * share));
const post =
  (path: string) =>
  (bodyOf: (size: number, n: number) => Record<string, unknown>): Kind =>
  (size, n) => ({ method: 'POST', path, body: bodyOf(size, n), by: 'admin' });
const get =
  (by: 'admin' | 'student') =>
  (pathOf: (size: number) => string): Kind =>
  (size) => ({ method: 'GET', path: pathOf(size), by });

/** Those with `many` search a text that is in three of five rows; a name is that of a sixth of all people. */
function money(path: string): Record<string, Kind> {
  const list = post(path);
  return {
    'all, first page': list(() => ({})),
    'all, middle page': list((size) => ({ page: page(size, 0.5) })),
    'all, last page': list((size) => ({ page: page(size, 1) })),
    'a status, middle page': list((size) => ({ status: 'failed', page: page(size / 100, 0.5) })),
    'a status and a year, last page': list((size) => ({
      status: 'success',
      from: '2000-01-01',
      page: page(size * 0.99, 1),
    })),
    'text, no hit': list(() => ({ filter_value: 'zebra' })),
    'text, one hit': list(() => ({ filter_value: 'quartz' })),
    'texts of one hit, another each time': list((size, n) => ({ filter_value: `u${1 + ((n * 7919) % (size / 5))}@` })),
    'two letters, no hit': list(() => ({ filter_value: '~~' })),
    'two letters, 1 in 1,000': list(() => ({ filter_value: 'q9' })),
    'text, many hits, first page': list(() => ({ filter_value: 'video' })),
    'text, many hits, middle page': list((size) => ({ filter_value: 'video', page: page(size * 0.6, 0.5) })),
    'text, many hits, last page': list((size) => ({ filter_value: 'video', page: page(size * 0.6, 1) })),
    'a name, many hits, first page': list(() => ({ filter_value: 'Aïcha' })),
    'a name, many hits, middle page': list((size) => ({ filter_value: 'Aïcha', page: page(size / 6, 0.5) })),
  };
}

/** As in fill.ts. */
const phoneOf = (n: number) => `+221${700_000_000 + ((n * 7_368_787) % 99_999_989)}`;
const users = post('admin/usersall');
const rooms = get('student');
const support = get('admin');

/** A room, by its kind and its place in the list. */
const uuidOf = (text: string) =>
  createHash('md5')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
const BUSY_ROOM = uuidOf('room0');

export const KINDS: Record<Part, Record<string, Kind>> = {
  payments: money('paymentsall'),
  deposits: money('admin/depositsall'),
  users: {
    'all, first page': users(() => ({})),
    'all, middle page': users((size) => ({ page: page(size, 0.5) })),
    'all, last page': users((size) => ({ page: page(size, 1) })),
    'a status, middle page': users((size) => ({ status: 'banned', page: page(size / 100, 0.5) })),
    'a platform, last page': users((size) => ({ platform: 'teacher', page: page(size / 10, 1) })),
    'text, no hit': users(() => ({ filter_value: 'zebra' })),
    'text, one hit': users(() => ({ filter_value: 'quartz' })),
    'texts of one hit, another each time': users((size, n) => ({ filter_value: `u${1 + ((n * 7919) % size)}@` })),
    'phone numbers of one hit, another each time': users((size, n) => ({
      filter_value: phoneOf(1 + ((n * 7919) % size)),
    })),
    'two letters, no hit': users(() => ({ filter_value: '~~' })),
    'text, many hits, first page': users(() => ({ filter_value: 'Aïcha' })),
    'text, many hits, middle page': users((size) => ({ filter_value: 'Aïcha', page: page(size / 6, 0.5) })),
    'text, many hits, last page': users((size) => ({ filter_value: 'Aïcha', page: page(size / 6, 1) })),
    'two letters, many hits, first page': users(() => ({ filter_value: 'aï' })),
  },
  messages: {
    'rooms, first page': rooms(() => 'rooms?limit=50'),
    'rooms, middle page': rooms((size) => `rooms?limit=50&before=${uuidOf(`room${size / 100}`)}`),
    'rooms, last page': rooms((size) => `rooms?limit=50&before=${uuidOf(`room${size / 50 - 51}`)}`),
    'messages, first page': rooms(() => `rooms/${BUSY_ROOM}/messages?limit=50`),
    'messages, middle page': rooms((size) => `rooms/${BUSY_ROOM}/messages?limit=50&before=${size / 2}`),
    'messages, last page': rooms(() => `rooms/${BUSY_ROOM}/messages?limit=50&before=501`),
    'support rooms, first page': support(() => 'admin/rooms?limit=50'),
    'support rooms, middle page': support((size) => `admin/rooms?limit=50&before=${uuidOf(`support${size / 20}`)}`),
    'support rooms, last page': support((size) => `admin/rooms?limit=50&before=${uuidOf(`support${size / 10 - 50}`)}`),
    'support rooms, unanswered': support(() => 'admin/rooms?limit=5&unanswered=1'),
    'support rooms, of one user': support((size) => `admin/rooms?user_id=${PEOPLE + size / 20}`),
  },
};
