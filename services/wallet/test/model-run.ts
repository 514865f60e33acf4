import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import type { TestResponse } from '@tutoring/shared/testing/client';
import type { CrashingReplicas } from '@tutoring/shared/testing/replica';
import { eventually } from '@tutoring/shared/testing/wait';
import { ModelWallet, type Command } from './model.ts';
import { requestsOf, type ModelRequest } from './model-requests.ts';
import type { Wallet } from './wallet.ts';

let people = 10_000;
let clock = 0;

/** The answer; undefined when it is unknown whether the request took effect. */
async function answerTo({ send }: ModelRequest): Promise<TestResponse | undefined> {
  const answer = await send().catch(() => undefined);
  return answer?.status === 503 ? undefined : answer;
}

type Flight = { asked: ModelRequest; answer: TestResponse | undefined };

const distinct = (models: ModelWallet[]) => [...new Map(models.map((model) => [model.text(), model])).values()];

/**
 * The possible states of the wallet after concurrent requests: they take effect one after another, in any order. A
 * request without an answer may have had no effect.
 */
function outcomes(models: ModelWallet[], flights: Flight[]): ModelWallet[] {
  /** Possible states by the set of requests that have taken effect (a bit mask). */
  const after = Array.from({ length: 2 ** flights.length }, (_, set) => (set === 0 ? models : []));
  for (const [set, reached] of after.entries()) {
    after[set] = distinct(reached);
    for (const [index, { asked, answer }] of flights.entries()) {
      if (set & (1 << index)) continue;
      for (const model of after[set]) {
        const next = model.copy();
        const expected = asked.effect(next);
        if (!answer || isDeepStrictEqual(asked.seen(answer), expected)) after[set | (1 << index)]!.push(next);
      }
    }
  }
  const isComplete = (set: number) => flights.every(({ answer }, index) => !answer || set & (1 << index));
  return distinct(after.flatMap((reached, set) => (isComplete(set) ? reached : [])));
}

/** Runs `commands` on the real wallet and the model; throws where they differ. */
export async function playLife(wallet: Wallet, mortals: CrashingReplicas, commands: Command[]): Promise<void> {
  const users = Array.from({ length: 4 }, () => (people += 1));
  const pairs = [0, 1, 2, 3].map((index) => ({ student: users[index % 2]!, teacher: users[2 + (index >> 1)]! }));
  const requestOf = requestsOf(wallet, { users, pairs });
  const [{ newest: firstEvent } = { newest: 0 }] = await wallet.service.rows<{ newest: number }>(
    'select coalesce(max(id), 0) as newest from outbox',
  );
  /** Possible states of the wallet: several while it is unknown what a killed process still did. */
  let models = [new ModelWallet(pairs)];
  let last: ModelRequest | undefined;

  /** Keeps the possible states that explain the answers. */
  function explain(flights: Flight[]): void {
    const explained = outcomes(models, flights);
    if (explained.length === 0) {
      const expected = flights.map(({ asked }) => asked.effect(models[0]!.copy()));
      expect(flights.map(({ asked, answer }) => answer && asked.seen(answer))).toEqual(expected);
      throw new Error('no order explains these answers');
    }
    models = explained;
    for (const { asked, answer } of flights) if (answer?.status === 200) asked.learn?.(answer);
  }

  /** Sends a request until it gets an answer. */
  const ask = (asked: ModelRequest) =>
    eventually('an answer', async () => {
      const answer = await answerTo(asked);
      explain([{ asked, answer }]);
      if (!answer) await wallet.forgetClaims();
      return answer;
    });

  /** Kills the process while requests are in flight; retries those without an answer. */
  async function die({ during, death }: Extract<Command, { do: 'die' }>): Promise<void> {
    const flying = during.flatMap((wish) => requestOf(wish, models[0]!) ?? []);
    const answers = await mortals.die(death, () => Promise.all(flying.map(answerTo)));
    const flights = flying.map((asked, index) => ({ asked, answer: answers[index] }));
    explain(flights);
    await checkBalances();
    await wallet.forgetClaims();
    for (const { asked, answer } of flights) if (!answer) await ask(asked);
    last = flying.at(-1);
  }

  async function expire(): Promise<void> {
    clock += 601;
    await wallet.service.shiftClock(clock);
    // The job of the service may hold locks on some of them at the same time.
    await eventually('the due holds have expired', async () => {
      await wallet.service.runJob('expire-holds');
      const due = `select from hold where state = 'open' and expires_at <= app_now()`;
      return (await wallet.service.rows(due)).length === 0;
    });
    for (const model of models) for (const call of pairs.keys()) model.endHold(call, 'expired');
  }

  /** The deletion of the account, as identity publishes it. */
  async function remove(user: number): Promise<void> {
    await wallet.tellUser(user, { deleted: true, version: 5 });
    for (const model of models) model.close(user);
  }

  /** The successful payments of a user sum to the balance. */
  async function checkPayments(): Promise<void> {
    const open = users.filter((user) => !models[0]!.closed.has(user));
    const wrong = await wallet.service.rows(
      `select user_id from account a where user_id = any($1) and balance <> (
         select coalesce(sum(case direction when 'in' then amount else -amount end), 0) from payment p
         where p.user_id = a.user_id and p.status = 'success')`,
      [open],
    );
    expect(wrong).toEqual([]);
  }

  async function step(command: Command): Promise<void> {
    if (command.do === 'expire') return expire();
    if (command.do === 'delete') return remove(users[command.student]!);
    if (command.do === 'die') return die(command);
    const asked = command.do === 'repeat last' ? last : requestOf(command, models[0]!);
    last = asked;
    if (asked) await ask(asked);
  }

  /** Keeps the possible states with the real balances; checks that the last published balances are the real ones. */
  async function checkBalances(): Promise<void> {
    const found = await wallet.service.rows<{ user_id: number; balance: number; held: number; told: unknown }>(
      `select user_id, balance, held,
         (select jsonb_build_object('balance', data -> 'balance', 'held', data -> 'held') from outbox
          where name = 'balance.changed' and aggregate_id = user_id::text and id > $2
          order by id desc limit 1) as told
       from account where user_id = any($1)`,
      [users, firstEvent],
    );
    const real = users.map((user) => {
      const { balance = 0, held = 0, told } = found.find(({ user_id }) => user_id === user) ?? {};
      expect({ user, told: told ?? { balance: 0, held: 0 } }).toEqual({ user, told: { balance, held } });
      return { balance, held };
    });
    const moneyOf = (model: ModelWallet) => users.map((user) => model.of(user));
    const fitting = models.filter((model) => isDeepStrictEqual(moneyOf(model), real));
    if (fitting.length === 0) expect(real).toEqual(moneyOf(models[0]!));
    models = fitting;
  }

  for (const command of commands) {
    await step(command);
    await checkBalances();
  }
  await checkPayments();
}
