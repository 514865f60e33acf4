import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cloneDatabase, sql, type TestDatabase } from '@tutoring/shared/testing/infra';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase('wallet');
});
afterAll(() => database.drop());

/** Writes a row like a release that does not know the columns; returns the columns. */
async function partsOf(table: 'transfer' | 'hold' | 'payment', text: string) {
  const [statement, columns] = {
    transfer: [
      `insert into transfer (kind, reference, debit_account, credit_account, amount) values ('deposit', $1, 1, 2, 3)`,
      'call_identifier, deposit_id, withdrawal_id, number',
    ],
    hold: [
      `insert into hold (reference, user_id, amount, state) values ($1, 1, 2, 'open')`,
      'call_identifier, withdrawal_id, number',
    ],
    payment: [
      `insert into payment (source, user_id, type, direction, amount, currency, status)
       values ($1, 1, 'call', 'in', 2, 'XOF', 'success')`,
      'call_identifier, deposit_id, withdrawal_id, number',
    ],
  }[table] as [string, string];
  const [row] = await sql(database.url, `${statement} returning ${columns}`, [text]);
  return Object.fromEntries(Object.entries(row!).filter(([, value]) => value !== null));
}

describe('the columns of a reference', () => {
  test.each<[Parameters<typeof partsOf>[0], string, Record<string, unknown>]>([
    ['transfer', 'call:x-1:step:12', { call_identifier: 'x-1', number: 12 }],
    ['transfer', 'call:x-1:refund:2', { call_identifier: 'x-1', number: 2 }],
    ['transfer', 'call:12:step:999999999', { call_identifier: '12', number: 999_999_999 }],
    ['transfer', 'deposit:12:3', { deposit_id: 12, number: 3 }],
    ['transfer', 'withdrawal:900719925474099:1', { withdrawal_id: 900_719_925_474_099, number: 1 }],
    ['transfer', 'forfeit:12:1', { number: 1 }],
    ['transfer', 'deposit:12x:1', { number: 1 }],
    ['transfer', 'deposit:012:1', { number: 1 }],
    ['transfer', 'deposit:9999999999999999999:9999999999', {}],
    ['transfer', 'call::step:', {}],
    ['transfer', 'bonus', {}],
    ['transfer', '', {}],
    ['hold', 'call:x-1', { call_identifier: 'x-1' }],
    ['hold', 'call:12', { call_identifier: '12' }],
    ['hold', 'withdrawal:12:hold:2', { withdrawal_id: 12, number: 2 }],
    ['hold', 'withdrawal:12:hold:two', { withdrawal_id: 12 }],
    ['payment', 'call:12', { call_identifier: '12' }],
    ['payment', 'call:x-1:refund:2', { call_identifier: 'x-1', number: 2 }],
    ['payment', 'deposit:12', { deposit_id: 12 }],
    ['payment', 'withdrawal:12', { withdrawal_id: 12 }],
    ['payment', 'bonus:1', {}],
  ])('a %s of "%s" has %j', async (table, text, parts) => {
    expect(await partsOf(table, text)).toEqual(parts);
  });
});
