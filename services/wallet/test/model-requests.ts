import type { TestResponse } from '@tutoring/shared/testing/client';
import type { ModelWallet, Wish } from './model.ts';
import { amountOf } from './model-claims.ts';
import type { Wallet } from './wallet.ts';

/** A request that an app or another service sends, and retries until it gets an answer. */
export interface ModelRequest {
  send: () => Promise<TestResponse>;
  /** Applies the request to the model; returns the expected values of the answer. */
  effect: (model: ModelWallet) => unknown[];
  /** The values of the answer that are compared with the expected ones. */
  seen: (answer: TestResponse) => unknown[];
  /** Remembers the id of a new record from a successful answer. */
  learn?: (answer: TestResponse) => void;
}

export interface Participants {
  users: number[];
  /** Student and teacher of each call. */
  pairs: { student: number; teacher: number }[];
}

const statusOf = ({ status }: TestResponse) => [status];

/** Turns wishes into requests; undefined for a wish about a record when there is none yet. */
export function requestsOf(wallet: Wallet, { users, pairs }: Participants) {
  // A restarted process has another address: read it for each request.
  const api = () => wallet.service.api;
  const run = `m${users[0]}`;
  const ids: Record<'deposits' | 'withdrawals' | 'refunds', number[]> = { deposits: [], withdrawals: [], refunds: [] };
  let keys = 0;
  const newKey = () => `${run}-${(keys += 1)}`;

  /** A request that creates one record with the status `made`, however often it is sent. */
  function creation(
    kind: keyof typeof ids,
    made: string,
    send: (key: string) => Promise<TestResponse>,
    effect: (model: ModelWallet) => number,
  ): ModelRequest {
    const [key, index] = [newKey(), ids[kind].length];
    return {
      send: () => send(key),
      effect: (model) => {
        const status = model.once(key, () => effect(model));
        return [status, status === 200 ? made : undefined];
      },
      seen: ({ status, body }) => [status, (body as { status?: string }).status],
      learn: ({ body }) => void (ids[kind][index] = (body as { id: number }).id),
    };
  }

  /** A request about one of the existing records. */
  function about(
    kind: keyof typeof ids,
    chosen: number,
    send: (id: number, index: number) => Promise<TestResponse>,
    effect: (model: ModelWallet, index: number) => number,
  ): ModelRequest | undefined {
    if (ids[kind].length === 0) return undefined;
    const index = chosen % ids[kind].length;
    const id = ids[kind][index]!;
    return { send: () => send(id, index), effect: (model) => [effect(model, index)], seen: statusOf };
  }

  function holding({ call, amount }: Extract<Wish, { do: 'hold' }>): ModelRequest {
    return {
      send: () => wallet.hold(`${run}-${call}`, pairs[call]!.student, amount),
      effect: (model) => {
        const held = model.hold(call, amount);
        return held === 'refused' ? [402, undefined] : [200, held];
      },
      seen: ({ status, body }) => [status, (body as { held?: number }).held],
    };
  }

  function charging(
    { call, again, amount, percent, next }: Extract<Wish, { do: 'charge' }>,
    now: ModelWallet,
  ): ModelRequest {
    const charged = now.calls[call]!.charges.length;
    const number = again && charged > 0 ? charged - 1 : charged;
    const input = { call: `${run}-${call}`, step: number + 1, ...pairs[call]!, amount, percent, next };
    return {
      send: () => wallet.charge(input),
      effect: (model) => {
        const expected = model.charge(call, number, amount, percent, next);
        return expected === 'refused' ? [402] : [200, expected];
      },
      seen: ({ status, body }) => (status === 200 ? [status, body] : [status]),
    };
  }

  const refOf = (key: string) => `${run}-${key}`;

  /** A provider's word about a dispute, or about a refund that it made itself. */
  function claiming({ deposit, which, word }: Extract<Wish, { do: 'claim' }>, now: ModelWallet) {
    const event = newKey();
    const said = which === 'refund' ? 'lost' : word;
    const send = (deposit_id: number, index: number) => {
      const amount = amountOf(which, now.deposits[index]!);
      const [ref, type] = [refOf(`${index}/${which}`), which === 'refund' ? 'refund.created' : `dispute.${said}`];
      const name = which === 'refund' ? { refund_id: ref } : { dispute_id: ref };
      return wallet.webhook({ id: event, type, deposit_id, amount, ...name });
    };
    return about('deposits', deposit, send, (model, index) => model.claim(index, which, said));
  }

  function writingOff({ dispute }: Extract<Wish, { do: 'write off' }>, now: ModelWallet): ModelRequest | undefined {
    const keys = [...now.disputes.keys()];
    const key = keys[dispute % Math.max(1, keys.length)];
    if (key === undefined) return undefined;
    const send = async () => {
      const [found] = await wallet.service.rows<{ id: number }>('select id from dispute where provider_ref = $1', [
        refOf(key),
      ]);
      return api().admin('su').post(`/api/admin/disputes/${found!.id}/write-off`, { reason: 'x' });
    };
    return { send, effect: (model) => [model.writeOff(key)], seen: statusOf };
  }

  return (wish: Wish, now: ModelWallet): ModelRequest | undefined => {
    switch (wish.do) {
      case 'claim':
        return claiming(wish, now);
      case 'write off':
        return writingOff(wish, now);
      case 'ask refund': {
        if (ids.deposits.length === 0) return undefined;
        const [index, { amount }] = [wish.deposit % ids.deposits.length, wish];
        const path = `/api/deposits/${ids.deposits[index]}/refunds`;
        const send = (key: string) =>
          api().student(now.deposits[index]!.user).post(path, { amount }, { 'idempotency-key': key });
        return creation('refunds', 'requested', send, (model) => model.askRefund(index, amount));
      }
      case 'decide refund': {
        const decision = { status: wish.status, details: 'x' };
        const send = (id: number) => api().admin().put(`/api/admin/deposit-refunds/${id}`, decision);
        return about('refunds', wish.refund, send, (model, index) => model.decideRefund(index, wish.status));
      }
      case 'cancel refund': {
        const send = (id: number, index: number) =>
          api().student(now.refunds[index]!.user).post(`/api/deposit-refunds/${id}/cancel`);
        return about('refunds', wish.refund, send, (model, index) => model.cancelRefund(index));
      }
      case 'echo refund': {
        const event = newKey();
        const send = (id: number, index: number) => {
          const { deposit, amount } = now.refunds[index]!;
          const deposit_id = ids.deposits[deposit];
          return wallet.webhook({ id: event, type: 'refund.created', deposit_id, amount, refund_id: String(id) });
        };
        return about('refunds', wish.refund, send, (model, index) => model.echoRefund(index));
      }
      case 'deposit': {
        const [user, { amount }] = [users[wish.student]!, wish];
        const send = (key: string) => api().student(user).post('/api/deposits', { amount }, { 'idempotency-key': key });
        return creation('deposits', 'pending', send, (model) => model.deposit(user, amount));
      }
      case 'provider': {
        const event = newKey();
        const send = (id: number) => wallet.provider(id, wish.outcome, event);
        return about('deposits', wish.deposit, send, (model, index) =>
          model.once(event, () => model.provider(index, wish.outcome)),
        );
      }
      case 'decide deposit': {
        const send = (id: number) => api().admin('su').put(`/api/admin/deposits/${id}`, { status: wish.status });
        return about('deposits', wish.deposit, send, (model, index) => model.decideDeposit(index, wish.status));
      }
      case 'hold':
        return holding(wish);
      case 'release':
        return {
          send: () => wallet.release(`${run}-${wish.call}`),
          effect: (model) => [200, { released: model.endHold(wish.call, 'released') }],
          seen: ({ status, body }) => [status, body],
        };
      case 'charge':
        return charging(wish, now);
      case 'refund': {
        const [key, { call, amount }] = [newKey(), wish];
        const path = `/api/admin/calls/${run}-${call}/refund`;
        return {
          send: () => api().admin('su').post(path, { amount }, { 'idempotency-key': key }),
          effect: (model) => [model.once(key, () => model.refund(call, amount))],
          seen: statusOf,
        };
      }
      case 'withdraw': {
        const [user, { amount }] = [users[2 + wish.teacher]!, wish];
        const send = (key: string) => wallet.withdraw(user, amount, { 'idempotency-key': key });
        return creation('withdrawals', 'initiated', send, (model) => model.withdraw(user, amount));
      }
      case 'decide withdrawal': {
        const send = (id: number) => api().admin('su').put(`/api/admin/withdrawals/${id}`, { status: wish.status });
        return about('withdrawals', wish.withdrawal, send, (model, index) =>
          model.decideWithdrawal(index, wish.status),
        );
      }
      case 'cancel withdrawal': {
        const send = (id: number, index: number) =>
          api().teacher(now.withdrawals[index]!.user).post(`/api/withdrawals/${id}/cancel`);
        return about('withdrawals', wish.withdrawal, send, (model, index) => model.cancelWithdrawal(index));
      }
    }
  };
}
