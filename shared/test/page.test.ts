import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { pageFields, pageNumbers, pageWindow, paginate } from '../kit/http/declare/page.ts';
import { validate } from '../kit/http/read/validation.ts';

describe('page numbers', () => {
  test.each<[string, number, number, string]>([
    ['a single page', 1, 1, '1'],
    ['thirteen pages without a gap', 7, 13, '1 2 3 4 5 6 7 8 9 10 11 12 13'],
    ['near the beginning', 1, 20, '1 2 3 4 5 6 7 8 9 10 ... 19 20'],
    ['still near the beginning', 7, 20, '1 2 3 4 5 6 7 8 9 10 ... 19 20'],
    ['in the middle', 10, 20, '1 2 ... 7 8 9 10 11 12 13 ... 19 20'],
    ['near the end', 14, 20, '1 2 ... 11 12 13 14 15 16 17 18 19 20'],
    ['the end', 20, 20, '1 2 ... 11 12 13 14 15 16 17 18 19 20'],
  ])('%s', (_name, current, last, expected) => {
    expect(pageNumbers(current, last).join(' ')).toBe(expected);
  });
});

const path = 'http://public.test/api/paymentsall';

test('an empty list has one page, from null to null', () => {
  expect(paginate({ items: [], total: 0, page: 1, perPage: 15, path })).toEqual({
    current_page: 1,
    data: [],
    first_page_url: `${path}?page=1`,
    from: null,
    last_page: 1,
    last_page_url: `${path}?page=1`,
    links: [
      { url: null, label: '&laquo; Previous', active: false },
      { url: `${path}?page=1`, label: '1', active: true },
      { url: null, label: 'Next &raquo;', active: false },
    ],
    next_page_url: null,
    path,
    per_page: 15,
    prev_page_url: null,
    to: null,
    total: 0,
  });
});

test('a page in the middle links to both neighbours', () => {
  const page = paginate({ items: ['c', 'd'], total: 5, page: 2, perPage: 2, path });
  expect(page).toMatchObject({
    from: 3,
    to: 4,
    last_page: 3,
    prev_page_url: `${path}?page=1`,
    next_page_url: `${path}?page=3`,
  });
});

test.each<[string, Record<string, unknown>, { page: number; perPage: number; offset: number; order?: string }]>([
  ['the defaults', {}, { page: 1, perPage: 15, offset: 0, order: 'desc' }],
  ['the order', { order: 'asc' }, { page: 1, perPage: 15, offset: 0, order: 'asc' }],
  ['a page size above 100', { pageItems: 5000, page: 3 }, { page: 3, perPage: 100, offset: 200 }],
  ['a huge page size', { pageItems: 1e20 }, { page: 1, perPage: 100, offset: 0 }],
  ['a huge page size as text', { pageItems: '99999999999999999999' }, { page: 1, perPage: 100, offset: 0 }],
  ['an invalid page', { page: 'x' }, { page: 1, perPage: 15, offset: 0 }],
  ['a page far past the end', { page: 2 ** 53 - 1 }, { page: 2 ** 53 - 1, perPage: 15, offset: 15 * (2 ** 53 - 2) }],
  ['a page as text', { page: '+0000000000002' }, { page: 2, perPage: 15, offset: 15 }],
  ['a page beyond all integers', { page: 2 ** 53 }, { page: 1, perPage: 15, offset: 0 }],
  ['a page below 1', { page: '-4' }, { page: 1, perPage: 15, offset: 0 }],
])('%s of a list request is normalized', async (_name, input, expected) => {
  expect(pageWindow(await validate(z.object(pageFields), input))).toMatchObject(expected);
});
