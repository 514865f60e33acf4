import { eventually } from '@tutoring/shared/testing/wait';
import type { startFedapay } from './fedapay-stand-in.ts';
import type { Wallet } from './wallet.ts';

/** The common steps of the tests of deposits at FedaPay. */
export function fedapayDeposits(wallet: Wallet, fedapay: Awaited<ReturnType<typeof startFedapay>>) {
  async function opened(method?: string) {
    const student = wallet.newUser();
    const { body: deposit } = await wallet.service.api
      .student(student)
      .post('/api/deposits', { amount: 5_000, method });
    return { student, deposit, transaction: fedapay.transactions.get(Number(deposit.ref))! };
  }
  const status = async (id: number) => (await wallet.service.api.admin().get(`/api/admin/deposits/${id}`)).body.status;
  const state = async ({ student, deposit }: { student: number; deposit: { id: number } }) => [
    await status(deposit.id),
    (await wallet.balance(student)).balance,
  ];
  const post = (payload: string, signature: string) =>
    wallet.service.api.anonymous.post('/api/webhooks/payments/fedapay', payload, { 'x-fedapay-signature': signature });
  const deliver = (...event: Parameters<typeof fedapay.webhook>) => {
    const { payload, signature } = fedapay.webhook(...event);
    return post(payload, signature);
  };

  /** Lets the job ask about a deposit of a minute; resolves when it is answered, to whether it is asked about again. */
  async function ask(id: number) {
    // Not due by the clock alone: the job that runs beside the test would ask too.
    await wallet.service.asOwner(`update deposit set ask_at = 'infinity' where id = ${id}`);
    await wallet.service.shiftClock(61);
    await wallet.service.asOwner(`update deposit set ask_at = app_now() where id = ${id}`);
    await wallet.service.runJob('ask-providers');
    const sql = `select coalesce(ask_at > app_now() + interval '60 seconds', true) as done, ask_at is not null as again
      from deposit where id = $1`;
    const answered = await eventually('the answer is recorded', async () => {
      const [row] = await wallet.service.rows<{ done: boolean; again: boolean }>(sql, [id]);
      return row!.done && row;
    });
    return answered.again;
  }

  return { opened, status, state, post, deliver, ask };
}
