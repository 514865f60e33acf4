import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { blocksReader, fromSeries, vacuum } from '@tutoring/shared/testing/plans';
import { eventually, retryWhile503, retryWhileUnavailable } from '@tutoring/shared/testing/wait';
import { startWallet, type Wallet } from './wallet.ts';

const PAYMENTS = 100_000;
const WRITERS = 50;

let wallet: Wallet;
beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

const TABLES = ['deposit', 'withdrawal', 'payment'] as const;

/** Differences between a tally and its rows, in one snapshot; none when the tally is exact. */
const wrong = (table: (typeof TABLES)[number]) => {
  const columns = table === 'payment' ? 'type, direction, status' : 'status';
  const key = `bucket, ${columns}, created_at`;
  return wallet.service.rows(
    `select ${key}, sum(rows) from (
       select ${key}, rows from ${table}_tally
       union all select id >> 13, ${columns}, (created_at at time zone 'UTC')::date, -1 from ${table}) t
     group by ${key} having sum(rows) <> 0`,
  );
};
const allWrong = async () => (await Promise.all(TABLES.map(wrong))).flat();
const settle = () => wallet.service.runJob('tallies');
const payments = async (body: Record<string, unknown> = {}) =>
  (await wallet.service.api.admin().post('/api/paymentsall', body)).body;

test(`totals are exact at every moment while ${WRITERS} writers add and change rows`, async () => {
  const { api } = wallet.service;
  let done = 0;
  const write = async (user: number) => {
    const deposit = async (amount: number, outcome: 'succeeded' | 'failed') => {
      const { body } = await retryWhile503(() => api.student(user).post('/api/deposits', { amount }));
      await retryWhile503(() => wallet.provider(body.id, outcome));
      return body.id as number;
    };
    const [paid] = await Promise.all([deposit(5_000, 'succeeded'), deposit(700, 'failed')]);
    const status = user % 2 ? 'failed' : 'success';
    await retryWhile503(() => api.admin('su').put(`/api/admin/deposits/${paid}`, { status }));
    done += 1;
  };
  const checks: unknown[] = [];
  const check = async () => {
    while (done < WRITERS) {
      await retryWhileUnavailable(settle);
      checks.push(...(await retryWhileUnavailable(allWrong)));
    }
  };
  await Promise.all([check(), ...Array.from({ length: WRITERS }, (_, index) => write(index + 1))]);
  expect([...checks, ...(await allWrong())]).toEqual([]);
  const total = async (body: Record<string, unknown>) =>
    (await api.admin().post('/api/admin/depositsall', body)).body.total as number;
  // May be more than requested: a busy machine may answer 503 after a deposit was recorded, and the test retries.
  const [rows] = await wallet.service.rows<{ total: number; failed: number }>(
    `select count(*) as total, count(*) filter (where status = 'failed') as failed from deposit`,
  );
  expect(rows!.failed).toBeGreaterThanOrEqual(WRITERS + WRITERS / 2);
  expect({ total: await total({}), failed: await total({ status: 'failed' }) }).toEqual(rows);
});

test('tallies stay exact after a rollback and a deletion', async () => {
  const { asOwner } = wallet.service;
  const [{ id }] = (await asOwner('select max(id) as id from deposit')) as [{ id: number }];
  await asOwner(`begin; update deposit set status = 'canceled'; insert into deposit (user_id, amount, currency, status, provider)
    values (1, 1, 'XOF', 'success', 'sandbox'); rollback`);
  await asOwner('delete from deposit where id = $1', [id]);
  expect(await wrong('deposit')).toEqual([]);
});

test('concurrent runs of the job merge each tally line once', async () => {
  await Promise.all([settle(), settle(), settle()]);
  // A run of the service itself may be merging some of them.
  await eventually('all are settled', async () => {
    await settle();
    return (await wallet.service.rows('select from deposit_tally where not settled')).length === 0;
  });
  expect(
    await wallet.service.rows('select 1 from deposit_tally group by bucket, status, created_at having count(*) > 1'),
  ).toEqual([]);
  expect(await allWrong()).toEqual([]);
});

const MANY = 3_000;
/** Enough pages for 8,192 rows; counting or skipping 100,000 rows would read some ten thousand pages. */
const FEW_PAGES = 2_500;

/** Inserts payments and people, and the table `truth` with the values that the filters match. */
async function seed(): Promise<void> {
  const { asOwner } = wallet.service;
  await asOwner(
    `insert into payment (source, user_id, type, direction, amount, currency, status, details, ref, created_at)
     select 's' || g, g, case g % 3 when 0 then 'call' else 'deposit' end, 'in', 1, 'XOF',
       case when g % 1000 = 0 then 'pending' else 'success' end, case when g % 10 = 0 then 'Vidéo call' end,
       case when g % 900 = 0 then 'Q9' when g = 77 then '50%' end, '2026-01-01'::date + g * interval '3 minutes'
     ${fromSeries(PAYMENTS)}`,
  );
  await asOwner(
    `insert into user_copy select g, 'student', 'active', false, 'Zoé' || g, '', '+221 70 ' || g, 1 from generate_series(1, ${MANY}) g
     on conflict (id) do update set name = excluded.name, phone_number = excluded.phone_number`,
  );
  await asOwner(
    `create table truth as select p.id, p.status, p.created_at, phone_digits(u.phone_number) as digits,
       fold(concat(p.ref, ' ', p.details, ' ', p.method)) as record, fold(concat(u.name, ' ', u.email, ' ', u.phone_number)) as person
     from payment p left join user_copy u on u.id = p.user_id`,
  );
  await settle();
  await vacuum(wallet.service, 'payment, payment_tally, user_copy');
}

/** The expected ids of a list, by one statement that reads every row. */
const idsOf = async (filter: { status?: string; from?: string; to?: string; filter_value?: string }) => {
  const found = await wallet.service.asOwner(
    `select id from truth
     where ($1::text is null or status = $1) and ($2::date is null or created_at >= $2::date)
       and ($3::date is null or created_at < $3::date + 1)
       and ($4::text is null or strpos(record, fold($4)) > 0 or strpos(person, fold($4)) > 0
         or strpos(digits, phone_digits($4)) > 0 or id::text = $4)
     order by id desc`,
    [filter.status ?? null, filter.from ?? null, filter.to ?? null, filter.filter_value ?? null],
  );
  return found.map(({ id }) => id);
};

describe('every page up to the last one has the right rows', () => {
  beforeAll(seed);

  test.each([
    ['everything', {}],
    ['a rare status', { status: 'pending' }],
    ['days', { from: '2026-01-05', to: '2026-01-31' }],
    ['a common text', { filter_value: 'video' }],
    ['two common letters', { filter_value: 'ÉO' }],
    ['two rare letters', { filter_value: 'q9' }],
    ['two letters that nobody has', { filter_value: 'zq' }],
    ['a pattern character', { filter_value: '%' }],
    ['one letter', { filter_value: 'q' }],
    ['a name of many people', { filter_value: 'zoe' }],
    ['a name of many people, and a status', { filter_value: 'zoe', status: 'pending' }],
    ['the name of one person', { filter_value: 'zoe2999' }],
    ['digits of a phone number across its blanks', { filter_value: '702999' }],
    ['two digits', { filter_value: '17' }],
    ['a phone number with other separators', { filter_value: '22-170-2999' }],
  ])('with a filter for %s', async (_name, filter) => {
    const ids = (await idsOf(filter)) as number[];
    // A row with exactly the searched id comes first, in both orders.
    const first = (all: number[]) => all.toSorted((a, b) => Number(isExact(b)) - Number(isExact(a)));
    const isExact = (id: number) => 'filter_value' in filter && filter.filter_value === String(id);
    const last = Math.ceil(ids.length / 100);
    const pages = [1, 2, Math.floor(last / 3), Math.floor(last / 2), last - 1, last, last + 1].filter(
      (page) => page >= 1,
    );
    const read = async (order: string | undefined, page: number) => {
      const answer = await payments({ ...filter, order, page, pageItems: 100 });
      expect(answer.total).toBe(ids.length);
      return answer.data.map(({ id }: { id: number }) => id);
    };
    for (const page of new Set(pages)) {
      const rows = [(page - 1) * 100, page * 100] as const;
      expect(await read(undefined, page)).toEqual(first(ids).slice(...rows));
      expect(await read('asc', page)).toEqual(first(ids.toReversed()).slice(...rows));
    }
  });

  test('a page reads at most one range of ids, wherever it is and whatever the filter', async () => {
    const read = await blocksReader(wallet.service);
    const filters = [
      {},
      { status: 'success' },
      { type: 'call', status: 'success' },
      { status: 'pending' },
      { from: '2026-01-05', to: '2026-05-31' },
      // Only the oldest rows.
      { from: '2026-01-01', to: '2026-01-02' },
      { filter_value: '50%' },
      { filter_value: 'Zoé77' },
    ];
    for (const filter of filters.flatMap((newest) => [newest, { ...newest, order: 'asc' }])) {
      const found = (await payments(filter)).total as number;
      const last = Math.ceil(found / 15);
      for (const page of [1, Math.ceil(last / 2), last]) {
        const cost = await read(/from payment/, async () =>
          expect((await payments({ ...filter, page })).total).toBe(found),
        );
        expect([filter, page, cost, cost < FEW_PAGES]).toEqual([filter, page, cost, true]);
      }
    }
  });
});
