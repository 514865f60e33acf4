import { expect, test } from '@jest/globals';
import { timeAgo } from '../src/messages/time-ago.ts';

const NOW = '2026-11-20T12:00:00.000000Z';
const DAY = 86_400;
const before = (seconds: number) => new Date(Date.parse(NOW) - seconds * 1_000).toISOString();

test.each([
  ['in the future', -60, '1 second ago'],
  ['now', 0, '1 second ago'],
  ['less than a second', 0.9, '1 second ago'],
  ['seconds', 59, '59 seconds ago'],
  ['a minute', 60, '1 minute ago'],
  ['minutes, rounded down', 119, '1 minute ago'],
  ['the last minute of an hour', 3_599, '59 minutes ago'],
  ['an hour', 3_600, '1 hour ago'],
  ['hours', DAY - 1, '23 hours ago'],
  ['a day', DAY, '1 day ago'],
  ['days', 7 * DAY - 1, '6 days ago'],
  ['a week', 7 * DAY, '1 week ago'],
  ['weeks', 29 * DAY, '4 weeks ago'],
  ['a month', 30 * DAY, '1 month ago'],
  ['months, never twelve', 364 * DAY, '11 months ago'],
  ['a year', 365 * DAY, '1 year ago'],
  ['years', 3 * 365 * DAY, '3 years ago'],
])('%s: %d seconds ago is shown as "%s"', (_name, seconds, expected) => {
  expect(timeAgo(before(seconds), NOW, 'en')).toBe(expected);
});
