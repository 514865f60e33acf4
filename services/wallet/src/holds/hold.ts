import { availableOf, heldBy, newHold, type Account, type Hold } from '../ledger/account.ts';

export interface PlacedHold {
  /** `repeated`: the hold exists, nothing changed; `conflict`: the reference belongs to another user. */
  verdict: 'done' | 'repeated' | 'refused' | 'conflict' | 'closed';
  amount: number;
  available: number;
  expires_at: string | null;
}

export interface HoldChange {
  hold: Hold;
  account: Account;
}

/** Holds money on an account; `existing` is the present hold of the reference. An expired hold is opened again. */
export function placeHold(
  wanted: { reference: string; amount: number; expires_at: string | null },
  { account, existing, isClosed }: { account: Account; existing: Hold | undefined; isClosed: boolean },
): { placed: PlacedHold; changed?: HoldChange } {
  const { reference, amount, expires_at } = wanted;
  const available = availableOf(account);
  const unchanged = (verdict: PlacedHold['verdict']) => ({
    placed: { verdict, amount: heldBy(existing), available, expires_at: existing?.expires_at ?? null },
  });
  const isOver = existing === undefined || existing.state === 'expired';
  if (isClosed && isOver) return { placed: { verdict: 'closed', amount: 0, available, expires_at: null } };
  if (existing && existing.user_id !== account.user_id) return unchanged('conflict');
  if (!isOver) return unchanged('repeated');
  if (available < amount) return unchanged('refused');
  return {
    placed: { verdict: 'done', amount, available: available - amount, expires_at },
    changed: {
      account: { ...account, held: account.held + amount },
      hold: { ...(existing ?? newHold(reference, account.user_id)), amount, state: 'open', expires_at },
    },
  };
}

/** Release: the held money becomes available again. */
export const freeHold = (hold: Hold, account: Account, state: 'released' | 'expired') => ({
  hold: { ...hold, amount: 0, state },
  account: { ...account, held: account.held - hold.amount },
});

/** Capture: the held money leaves the account. */
export const captureHold = (hold: Hold, account: Account) => ({
  hold: { ...hold, amount: 0, state: 'released' as const },
  account: { ...account, balance: account.balance - hold.amount, held: account.held - hold.amount },
});
