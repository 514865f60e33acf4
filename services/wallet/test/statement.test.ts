import { rows } from '@tutoring/shared/kit/database/sql';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IDENTITY_HEADER } from '@tutoring/shared/kit/identity/auth';
import type { Reader } from '@tutoring/shared/kit/database/open';
import { eventually } from '@tutoring/shared/testing/wait';
import { countLedger } from '../src/stats/stats-store.ts';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;
beforeAll(async () => {
  // No job counts beside the tests.
  wallet = await startWallet({}, { jobless: true });
});
afterAll(() => wallet.stop());

const HEADER = '\uFEFFid,type,direction,amount,ref,created_at\r\n';
const PATH = '/api/wallet/transactions.csv';
/** Reads raw bytes, because decoding as text would remove the byte order mark. */
async function csv(user: number, query = '') {
  const { signer, url } = wallet.service;
  const identity = signer.sign({ kind: 'user', id: user, platform: 'student', tokenId: user });
  const answer = await fetch(`${url}${PATH}${query}`, { headers: { [IDENTITY_HEADER]: identity } });
  return { headers: answer.headers, status: answer.status, text: Buffer.from(await answer.arrayBuffer()).toString() };
}
const linesOf = async (user: number, query = '') => (await csv(user, query)).text.trim().split('\r\n').slice(1);
const amountsOf = async (user: number, query = '') =>
  (await linesOf(user, query)).map((line) => Number(line.split(',')[3]));

const countOnce = () =>
  wallet.service.service.database.transact(
    async (tx) => {
      // A test may block a count for long on a busy machine.
      await rows(tx, 'set local lock_timeout = 0');
      return countLedger(tx);
    },
    { statementMs: 300_000 },
  );
const count = async () => {
  await eventually('the ledger is counted', async () => {
    await countOnce();
    const [left] = await wallet.service.rows<{ n: number }>(
      'select count(*) as n from transfer where id > (select counted_to from ledger_day_mark)',
    );
    return left!.n === 0;
  });
};

/** Inserts transfers to a user, one per hour from the time `from` on. */
const insert = (user: number, from: string, hours: number, reference = `'r:' || ${user} || ':' || g`) =>
  wallet.service.asOwner(`insert into transfer (kind, reference, debit_account, credit_account, amount, created_at)
    select 'deposit', ${reference}, -10, ${user}, g, timestamptz '${from}' + (g - 1) * interval '1 hour'
    from generate_series(1, ${hours}) as g`);

describe('GET api/wallet/transactions.csv', () => {
  test('downloads every transfer, newest first', async () => {
    await wallet.topUp(1, 1_000);
    await wallet.charge({ call: 'c1', step: 1, student: 1, teacher: 2, amount: 100, percent: 10 });
    const answer = await csv(1);
    expect([answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8',
      'attachment; filename="transactions.csv"',
    ]);
    const listed = (await wallet.service.api.student(1).get('/api/wallet/transactions')).body as Record<
      string,
      string
    >[];
    const lines = listed.map(({ id, type, direction, amount, ref, created_at }) =>
      [id, type, direction, amount, ref, created_at].join(','),
    );
    expect(answer.text).toBe(`${HEADER}${lines.join('\r\n')}\r\n`);
    expect(lines[0]).toMatch(/^\d+,call,out,100,call:c1:step:1,\d{4}-/);
  });

  test('has a header and a byte order mark even without transfers', async () => {
    expect((await csv(99)).text).toBe(HEADER);
  });

  test('has each transfer once, however long it is', async () => {
    await insert(3, '2020-01-01T00:00:00Z', 1_501);
    const expected = Array.from({ length: 1_501 }, (_, index) => 1_501 - index);
    expect(await amountsOf(3)).toEqual(expected);
    await count();
    expect(await amountsOf(3)).toEqual(expected);
  });

  test.each([
    ['?from=2021-03-02&to=2021-03-02', 48, 25],
    ['?from=2021-03-02', 60, 25],
    ['?to=2021-03-01', 24, 1],
    ['?from=2021-03-01&to=2021-03-31', 60, 1],
  ])('has only the transfers of the days %s, counted or not', async (query, first, last) => {
    const user = 40 + first + last;
    await count();
    await insert(user, '2021-03-01T00:00:00Z', 60);
    const expected = Array.from({ length: first - last + 1 }, (_, index) => first - index);
    expect(await amountsOf(user, query)).toEqual(expected);
    await count();
    expect(await amountsOf(user, query)).toEqual(expected);
  });

  test("escapes formulas in other people's text and quotes fields where needed", async () => {
    await insert(5, '2022-01-01T00:00:00Z', 1, `'=1+1,"x"'`);
    expect((await linesOf(5))[0]).toMatch(/,"'=1\+1,""x""",2022-01-01T00:00:00\.000000Z$/);
  });

  describe('the separator', () => {
    const REFERENCE = `a,b;c\td"e`;
    const BROKEN = 'first\nsecond';
    const ROWS = [
      ['id', 'type', 'direction', 'amount', 'ref', 'created_at'],
      [expect.any(String), 'deposit', 'in', '1', REFERENCE, '2022-02-01T01:00:00.000000Z'],
      [expect.any(String), 'deposit', 'in', '1', BROKEN, '2022-02-01T00:00:00.000000Z'],
    ];

    /** The fields of a CSV text by RFC 4180. */
    const parsed = (text: string, separator: string) => {
      const records: string[][] = [[]];
      const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^"\\r\\n${separator}]*))(${separator}|\\r\\n)`, 'y');
      for (let found = field.exec(text); found; found = field.exec(text)) {
        records.at(-1)!.push(found[1]?.replaceAll('""', '"') ?? found[2]!);
        if (found[3] === '\r\n') records.push([]);
      }
      return records.slice(0, -1);
    };

    beforeAll(async () => {
      await insert(6, '2022-02-01T00:00:00Z', 1, `E'${BROKEN.replace('\n', String.raw`\n`)}'`);
      await insert(6, '2022-02-01T01:00:00Z', 1, `E'${REFERENCE.replace('\t', String.raw`\t`)}'`);
    });

    test.each([
      ['', ','],
      ['?separator=', ','],
      ['?separator=%20', ','],
      ['?separator=,', ','],
      ['?separator=%2C', ','],
      ['?separator=;', ';'],
      ['?separator=%3B', ';'],
      ['?separator=tab', '\t'],
      ['?separator=tab&from=2022-02-01&to=2022-02-01', '\t'],
    ])(
      'of the query "%s" separates the fields, and fields with a separator, quotes or a line break are quoted',
      async (query, separator) => {
        const { status, text } = await csv(6, query);
        expect([status, parsed(text.slice(1), separator)]).toEqual([200, ROWS]);
      },
    );

    test.each(['|', 'comma', 'TAB', ',;', ';;', 'a', '%5Ct', '%00'])('"%s" is a 422', async (separator) => {
      const { status, text } = await csv(6, `?separator=${separator}`);
      expect([status, Object.keys(JSON.parse(text).errors)]).toEqual([422, ['separator']]);
    });
  });

  test('refuses reversed and invalid days, administrators and anonymous callers', async () => {
    const { api } = wallet.service;
    const reversed = await api.student(1).get(`${PATH}?from=2026-02-02&to=2026-02-01`);
    expect([reversed.status, reversed.body.errors]).toEqual([
      422,
      { to: ['The to field must be a date after or equal to from.'] },
    ]);
    expect((await csv(1, '?from=x')).status).toBe(422);
    expect((await api.admin('su').get(PATH)).status).toBe(403);
    expect((await api.anonymous.get(PATH)).status).toBe(401);
  });
});

test('the daily sums are exact before and after the transfers are counted', async () => {
  const days = async () =>
    (await wallet.service.api.service('identity').get('/internal/stats/days?from=2023-05-01&to=2023-05-31')).body;
  await wallet.service
    .asOwner(`insert into transfer (kind, reference, debit_account, credit_account, amount, created_at)
    values ('deposit', 'd:1', -10, 7, 500, '2023-05-01T00:00:00Z'),
      ('deposit', 'd:2', -10, 7, 70, '2023-05-01T23:59:59.999999Z'),
      ('deposit_reversal', 'd:2', 7, -10, 70, '2023-05-02T00:00:00Z'),
      ('call', 'call:x:step:1', 7, 8, 100, '2023-05-02T01:00:00Z'),
      ('commission', 'call:x:step:1', 8, -1, 15, '2023-05-02T01:00:00Z'),
      ('refund', 'call:x:refund:1', 8, 7, 40, '2023-05-09T00:00:00Z'),
      ('commission_refund', 'call:x:refund:1', -1, 8, 6, '2023-05-09T00:00:00Z'),
      ('withdrawal', 'w:1', 8, -20, 30, '2023-05-31T23:59:59Z'),
      ('deposit', 'd:3', -10, 7, 1, '2023-06-01T00:00:00Z')`);
  const none = { deposits: 0, withdrawals: 0, charged: 0, commission: 0, refunded: 0 };
  const expected = [
    { date: '2023-05-01', ...none, deposits: 570 },
    { date: '2023-05-02', ...none, deposits: -70, charged: 100, commission: 15 },
    { date: '2023-05-09', ...none, commission: -6, refunded: 40 },
    { date: '2023-05-31', ...none, withdrawals: 30 },
  ];
  expect(await days()).toEqual(expected);
  await count();
  expect(await days()).toEqual(expected);
});

test('a transfer that starts during a count and commits after later ones is counted', async () => {
  const { database } = wallet.service.service;
  const transfer = (tx: Reader, reference: string) =>
    rows(
      tx,
      `insert into transfer (kind, reference, debit_account, credit_account, amount, created_at)
       values ('deposit', $1, -10, 9, 1, '2024-07-01T00:00:00Z')`,
      [reference],
    );
  const settled = (of = 'true') =>
    eventually('the mark is settled', async () => {
      const found = await wallet.service.rows(
        `select from ledger_day_mark where pg_snapshot_xmin(pg_current_snapshot()) > next_xid and ${of}`,
      );
      return found.length > 0;
    });
  await count();
  await transfer(database.manager, 'early');
  await countOnce();
  await settled('next_to > counted_to');

  await database.transact(async (writer) => {
    // The transactions of other databases, too, must end before the mark is settled.
    await rows(writer, 'set local idle_in_transaction_session_timeout = 0');
    // Blocks a count between its first and its last statement.
    const counting = await database.transact(async (tx) => {
      await rows(tx, 'set local idle_in_transaction_session_timeout = 0');
      await rows(tx, 'lock table ledger_day in exclusive mode');
      const held = countOnce();
      await eventually('the count waits', async () => {
        const waiting = `select from pg_locks where relation = 'ledger_day'::regclass and not granted`;
        return (await wallet.service.rows(waiting)).length > 0;
      });
      await transfer(writer, 'lower id');
      await transfer(database.manager, 'higher id');
      return [held];
    });
    await Promise.all(counting);
    await settled();
    await countOnce();
  });
  await count();
  const [sums] = await wallet.service.rows<{ counted: number; all: number }>(
    `select (select sum(count) from ledger_day)::bigint as counted, (select count(*) from transfer) as all`,
  );
  expect(sums!.counted).toBe(sums!.all);
});
