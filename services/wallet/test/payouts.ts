import type { TestResponse } from '@tutoring/shared/testing/client';
import { sandbox } from '../src/providers/sandbox/sandbox.ts';
import type { Wallet } from './wallet.ts';

/** A valid IBAN of Senegal with any number of up to twelve digits. */
export function iban(number: number): string {
  const bban = `SN08SN01001${String(number).padStart(13, '0')}`;
  const digits = [...`${bban}SN00`].map((sign) => parseInt(sign, 36)).join('');
  const check = 98n - (BigInt(digits) % 97n);
  return `SN${String(check).padStart(2, '0')}${bban}`;
}

/** The rights of the administrators of the tests. */
export const MAKER = 901;
export const CHECKER = 902;

/** The common steps of the tests of payouts. */
export function payoutsOf(wallet: Wallet) {
  const { service } = wallet;
  const su = (id = MAKER) => service.api.admin('su', id);

  /** A teacher's withdrawal of all that they have, in the old form. */
  async function withdrawal(amount = 1_000): Promise<{ id: number; teacher: number }> {
    const teacher = await wallet.teacherWith(amount);
    const { body } = await wallet.withdraw(teacher, amount);
    return { id: body.id, teacher };
  }

  /**
   * Withdrawals of as many teachers, made in SQL: they hold money like those of requests. `method`: to a phone by this
   * method, as to a stored account; else in the old form.
   */
  async function manyWithdrawals(
    count: number,
    { amount = 1_000, teachers = count, method = '' } = {},
  ): Promise<number[]> {
    const first = 1_000_000 + Math.floor(Math.random() * 1_000_000) * 1_000;
    const rows = await service.asOwner(
      `with paid as (
         insert into deposit (user_id, amount, currency, status, provider, entries, paid_at, ask_at)
         select $1 + g % $4, $3, 'XOF', 'success', 'sandbox', 1, app_now(), null from generate_series(1, $2::int) g
         returning id, user_id, amount
       ), earned as (
         insert into transfer (kind, reference, debit_account, credit_account, amount)
         select 'deposit', 'deposit:' || id || ':1', ${sandbox.account}, user_id, amount from paid
       ), made as (
         insert into withdrawal (user_id, amount, currency, status, method, account, holds, account_kind, holder_name)
         select $1 + g % $4, $3, 'XOF', 'initiated', coalesce(nullif($5, ''), 'bank'),
           case $5 when '' then 'SN-' || g else '+2289011' || (1000 + g) end, 1,
           case when $5 <> '' then 'phone' end, case when $5 <> '' then 'Kossi Mensah' end
         from generate_series(1, $2::int) g
         returning id, user_id, amount
       ), owners as (
         insert into account (user_id, balance, held) select user_id, sum(amount), sum(amount) from made group by user_id
       ), holds as (
         insert into hold (reference, user_id, amount, state, version)
         select 'withdrawal:' || id || ':hold:1', user_id, amount, 'open', 1 from made
       ), payments as (
         insert into payment (source, user_id, type, direction, amount, currency, status)
         select 'withdrawal:' || id, user_id, 'withdrawal', 'out', amount, 'XOF', 'initiated' from made
         union all select 'deposit:' || id, user_id, 'deposit', 'in', amount, 'XOF', 'success' from paid
       )
       select id from made order by id`,
      [first, count, amount, teachers, method],
    );
    return rows.map(({ id }) => Number(id));
  }

  const make = (ids: number[], more: object = {}, by = MAKER): Promise<TestResponse> =>
    su(by).post('/api/admin/payout-batches', { withdrawal_ids: ids, format: 'csv', ...more });

  const act = (batch: number, step: 'approve' | 'cancel' | 'export', by = MAKER, body: object = {}) =>
    su(by).post(`/api/admin/payout-batches/${batch}/${step}`, body);

  /** An exported batch of these withdrawals. */
  async function exported(ids: number[], more: object = {}): Promise<number> {
    const made = await make(ids, more);
    if (made.status !== 200) throw new Error(made.text);
    const { id } = made.body;
    for (const step of ['approve', 'export'] as const) {
      const answer = await act(id, step, step === 'approve' ? CHECKER : MAKER);
      if (answer.status !== 200) throw new Error(answer.text);
    }
    return id;
  }

  /** Uploads a form with a text file. */
  function upload(path: string, file: string, fields: Record<string, string> = {}, by = MAKER): Promise<TestResponse> {
    const part = (head: string, body: string) =>
      `--frontier\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
    const others = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value));
    const form = [...others, part('name="file"; filename="results.csv"', file), '--frontier--\r\n'].join('');
    return su(by).post(path, form, { 'content-type': 'multipart/form-data; boundary=frontier' });
  }

  const results = (batch: number, file: string) => upload(`/api/admin/payout-batches/${batch}/results`, file);

  const apply = (batch: number, id: number) => su().post(`/api/admin/payout-batches/${batch}/results/${id}/apply`, {});

  return {
    su,
    withdrawal,
    manyWithdrawals,
    make,
    act,
    exported,
    upload,
    results,
    apply,
    /** Reads and applies lines `reference,status,message`. */
    async report(batch: number, lines: [withdrawal: number, status: string, message?: string][]) {
      const text = [
        'reference,status,message',
        ...lines.map(([id, status, message = '']) => `W${id}-${batch},${status},${message}`),
      ];
      const read = await results(batch, `${text.join('\r\n')}\r\n`);
      return { read: read.body, applied: (await apply(batch, read.body.import_id)).body };
    },
    batch: async (id: number) => (await su().get(`/api/admin/payout-batches/${id}`)).body,
    items: async (id: number) =>
      (await su().get(`/api/admin/payout-batches/${id}/items?pageItems=100&order=asc`)).body.data,
    settle: (batch: number, item: number, body: object, by = CHECKER) =>
      su(by).put(`/api/admin/payout-batches/${batch}/items/${item}`, body),
    put: (id: number, status: string, by = MAKER) => su(by).put(`/api/admin/withdrawals/${id}`, { status }),
    status: async (id: number) => (await su().get(`/api/admin/withdrawals/${id}`)).body.status,
    setting: (name: string, value: number, version = Date.now()) =>
      service.receive('setting.changed', { name, value, version }),
  };
}

export type Payouts = ReturnType<typeof payoutsOf>;
