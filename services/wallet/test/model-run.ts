import { expect } from '@jest/globals';
import type { TestResponse } from '@tutoring/shared/testing/client';
import { eventually } from '@tutoring/shared/testing/wait';
import { ModelWallet, type Command } from './model.ts';
import type { Wallet } from './wallet.ts';

let people = 10_000;
let clock = 0;

/** Runs `commands` on the real wallet and the model; throws where they differ. */
export async function live(wallet: Wallet, commands: Command[]): Promise<void> {
  // A restart changes the address: read it each time.
  const api = () => wallet.service.api;
  const users = Array.from({ length: 4 }, () => (people += 1));
  const pairs = [0, 1, 2, 3].map((index) => ({ student: users[index % 2]!, teacher: users[2 + (index >> 1)]! }));
  const model = new ModelWallet(pairs);
  const run = `m${users[0]}`;
  const deposits: number[] = [];
  const withdrawals: number[] = [];
  let repeatLast: (() => Promise<void>) | undefined;

  /** Sends a request, and stores how to repeat it; the repeat must change nothing. */
  async function send(request: () => Promise<TestResponse>, repeatable = true): Promise<TestResponse> {
    const answer = await request();
    const repeat = async () => expect((await request()).status).toBe(answer.status);
    repeatLast = repeatable && answer.status === 200 ? repeat : undefined;
    return answer;
  }
  const pick = (list: unknown[], index: number) => (list.length === 0 ? undefined : index % list.length);
  let keys = 0;
  const newKey = () => ({ 'idempotency-key': `${run}-${(keys += 1)}` });

  async function step(command: Command): Promise<void> {
    switch (command.do) {
      case 'deposit': {
        const [user, key] = [users[command.student]!, newKey()];
        const answer = await send(() => api().student(user).post('/api/deposits', { amount: command.amount }, key));
        expect([answer.status, answer.body.status]).toEqual([200, 'pending']);
        deposits.push(answer.body.id);
        model.deposits.push({ user, amount: command.amount, status: 'pending', paid: false });
        return;
      }
      case 'provider': {
        const index = pick(deposits, command.deposit);
        if (index === undefined) return;
        const event = `${run}-${(keys += 1)}`;
        await send(() => wallet.provider(deposits[index]!, command.outcome, event));
        model.provider(index, command.outcome);
        return;
      }
      case 'decide deposit': {
        const index = pick(deposits, command.deposit);
        if (index === undefined) return;
        const path = `/api/admin/deposits/${deposits[index]}`;
        const answer = await send(() => api().admin('su').put(path, { status: command.status }));
        expect(answer.status).toBe(model.decideDeposit(index, command.status));
        return;
      }
      case 'hold': {
        const answer = await send(() =>
          wallet.hold(`${run}-${command.call}`, pairs[command.call]!.student, command.amount),
        );
        // A repeat after the expiry opens the hold again, so the model repeats it too.
        repeatLast &&= () => step(command);
        const held = model.hold(command.call, command.amount);
        expect([answer.status, answer.body.held]).toEqual(held === 'refused' ? [402, undefined] : [200, held]);
        return;
      }
      case 'release': {
        const answer = await send(() => wallet.release(`${run}-${command.call}`), false);
        expect(answer.body).toEqual({ released: model.endHold(command.call, 'released') });
        return;
      }
      case 'charge': {
        const { call, amount, percent, next } = command;
        const charged = model.calls[call]!.charges.length;
        const number = command.again && charged > 0 ? charged - 1 : charged;
        const input = { call: `${run}-${call}`, step: number + 1, ...pairs[call]!, amount, percent, next };
        const answer = await send(() => wallet.charge(input));
        const expected = model.charge(call, number, amount, percent, next);
        if (expected === 'refused') expect(answer.status).toBe(402);
        else expect([answer.status, answer.body]).toEqual([200, expected]);
        return;
      }
      case 'refund': {
        const [path, key] = [`/api/admin/calls/${run}-${command.call}/refund`, newKey()];
        const answer = await send(() => api().admin('su').post(path, { amount: command.amount }, key));
        expect(answer.status).toBe(model.refund(command.call, command.amount));
        return;
      }
      case 'withdraw': {
        const [user, key] = [users[2 + command.teacher]!, newKey()];
        const answer = await send(() => wallet.withdraw(user, command.amount, key));
        expect(answer.status).toBe(model.withdraw(user, command.amount));
        if (answer.status === 200) withdrawals.push(answer.body.id);
        return;
      }
      case 'decide withdrawal': {
        const index = pick(withdrawals, command.withdrawal);
        if (index === undefined) return;
        const path = `/api/admin/withdrawals/${withdrawals[index]}`;
        const answer = await send(() => api().admin('su').put(path, { status: command.status }));
        expect(answer.status).toBe(model.decideWithdrawal(index, command.status));
        return;
      }
      case 'cancel withdrawal': {
        const index = pick(withdrawals, command.withdrawal);
        if (index === undefined) return;
        const user = model.withdrawals[index]!.user;
        const answer = await send(() => api().teacher(user).post(`/api/withdrawals/${withdrawals[index]}/cancel`));
        expect(answer.status).toBe(model.cancelWithdrawal(index));
        return;
      }
      case 'expire':
        clock += 601;
        await wallet.service.shiftClock(clock);
        // The service's own job may lock some of them at the same moment.
        await eventually('what is due has expired', async () => {
          await wallet.service.runJob('expire-holds');
          const due = `select from hold where state = 'open' and expires_at <= app_now()`;
          return (await wallet.service.rows(due)).length === 0;
        });
        for (const call of pairs.keys()) model.endHold(call, 'expired');
        return;
      case 'repeat last':
        await repeatLast?.();
        return;
      case 'restart':
        await wallet.service.restart();
    }
  }

  for (const command of commands) {
    await step(command);
    const real = await wallet.service.rows<{ user_id: number; balance: number; held: number }>(
      'select user_id, balance, held from account where user_id = any($1)',
      [users],
    );
    for (const user of users) {
      const { balance = 0, held = 0 } = real.find(({ user_id }) => user_id === user) ?? {};
      expect({ user, balance, held }).toEqual({ user, ...model.of(user) });
    }
  }
}
