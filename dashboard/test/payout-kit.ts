import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken, as, data, register, type Person } from '../../test/journeys/people.ts';
import type { System } from '../../test/journeys/system.ts';
import { setForWallet } from './lessons.ts';

/* Teachers with payable withdrawals, and administrators who pay them, for tests of payouts. */

export const PASSWORD = 'a long enough secret';
/** The administrator who may pay out and approves nothing, and the one who approves and sees no contacts. */
export const FINANCE = 'finance@example.com';
export const APPROVER = 'approver@example.com';

const BALANCE = 100_000;

interface Batch {
  id: number;
  status: string;
  items: Record<string, number>;
  file: { name: string; sha256: string } | null;
}

interface Item {
  id: number;
  withdrawal_id: number;
  reference: string;
  status: string;
  provider_ref: string | null;
  message: string | null;
}

/** A teacher with money, and a payout account if a number is given. */
export async function payee(system: System, name: string, phone?: string) {
  const person = await register(system, 'teacher', name);
  await system.sql('wallet', 'insert into account (user_id, balance) values ($1, $2)', [person.id, BALANCE]);
  if (phone === undefined) return { person, account: undefined };
  const form = { method: 'tmoney', account: phone, holder_name: name, current_password: person.password };
  const added = await as(system, person.token).post('api/payout-accounts', form);
  return { person, account: data<{ id: number }>(added).id };
}
export type Payee = Awaited<ReturnType<typeof payee>>;

/** The common steps, over HTTP. */
export function payoutSteps(system: System) {
  const su = async () => as(system, await adminToken(system));
  const tokens = new Map<string, string>();

  /** Signs an administrator in once. */
  async function administrator(email: string) {
    const login = () => system.request('POST', 'api/admin/auth/login', { body: { email, password: PASSWORD } });
    const token = tokens.get(email) ?? data<{ token: string }>(await login()).token;
    tokens.set(email, token);
    return as(system, token);
  }
  const batch = async (id: number) => data<Batch>(await (await su()).get(`api/admin/payout-batches/${id}`));
  const act = async (id: number, step: 'approve' | 'cancel' | 'export', email?: string) =>
    data<Batch>(
      await (email === undefined ? await su() : await administrator(email)).post(
        `api/admin/payout-batches/${id}/${step}`,
      ),
    );
  const make = async (ids: number[], note?: string) =>
    data<Batch>(
      await (
        await su()
      ).post('api/admin/payout-batches', { withdrawal_ids: ids, format: 'csv', ...(note && { note }) }),
    ).id;
  return {
    su,
    batch,
    act,
    make,
    withdraw: async ({ person, account }: Payee, amount: number) => {
      const target = account === undefined ? { method: 'bank', account: 'SN-1234567' } : { payout_account_id: account };
      return data<{ id: number }>(await as(system, person.token).post('api/withdrawals', { amount, ...target })).id;
    },
    items: async (id: number) =>
      data<{ data: Item[] }>(await (await su()).get(`api/admin/payout-batches/${id}/items?order=asc&pageItems=100`))
        .data,
    /** A batch that the first administrator made and exported, and another one approved. */
    exported: async (ids: number[]) => {
      const id = await make(ids);
      await act(id, 'approve', APPROVER);
      await act(id, 'export');
      return id;
    },
    file: async (id: number) => {
      const headers = { authorization: `Bearer ${await adminToken(system)}` };
      const answer = await fetch(`${system.url}/api/admin/payout-batches/${id}/file`, { headers });
      return Buffer.from(await answer.arrayBuffer());
    },
  };
}
export type PayoutSteps = ReturnType<typeof payoutSteps>;

/** Two more administrators, and settings under which every batch needs another one than its maker. */
export async function preparePayouts(system: System): Promise<void> {
  const admin = as(system, await adminToken(system));
  for (const [role, email] of [
    ['finance', FINANCE],
    ['approver', APPROVER],
  ] as const)
    data(
      await admin.post('api/admin/admins', {
        ...{ name: `Clerk ${role}`, email, phone_number: '+22890112244', password: PASSWORD },
        roles: [role],
      }),
    );
  await setForWallet(system, 'min_withdrawal', 1);
  await setForWallet(system, 'payout_checker_from', 1);
}

/** Bans a person, and waits until the wallet knows it. */
export async function ban(system: System, { id }: Person): Promise<void> {
  data(await as(system, await adminToken(system)).put(`api/admin/users/${id}`, { status: 'banned' }));
  const query = `select from user_copy where id = ${id} and status = 'banned'`;
  await eventually('the wallet knows the ban', async () => (await system.sql('wallet', query)).length > 0);
}
