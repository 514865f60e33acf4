import { receiptOf, type CallPosting } from '../ledger/account.ts';
import { findPostingsOfCalls } from '../ledger/statement-store.ts';
import type { Parts } from '../parts.ts';
import { findDispute } from './dispute-store.ts';
import { callsPaidBy, type Evidence } from './evidence.ts';
import { depositedAt, spentLines } from './evidence-store.ts';

type Named = Evidence['student'];

/** A call that a deposit has paid, with its receipt; undefined for one without charges. */
function callOf(
  identifier: string,
  postings: CallPosting[],
  { from_deposit, nameOf }: { from_deposit: number; nameOf: (id: number) => Named },
): Evidence['calls'][number] | undefined {
  const { charges, refunds } = receiptOf(postings);
  const [first, last] = [charges[0], charges.at(-1)];
  const parties = postings.find(({ kind }) => kind === 'call');
  if (!first || !last || !parties) return undefined;
  return {
    identifier,
    student: nameOf(parties.debit),
    teacher: nameOf(parties.credit),
    started_at: first.created_at,
    ended_at: last.created_at,
    steps: charges.length,
    amount: charges.reduce((sum, { amount }) => sum + amount, 0),
    from_deposit,
    charges: charges.map(({ step, amount, reference, created_at }) => ({ step, amount, reference, created_at })),
    refunds,
  };
}

/** Names of the people of all postings. */
async function namesOf({ people }: Parts, ids: number[]) {
  const found = await people.find([...new Set(ids)]);
  return (id: number): Named => ({ id, name: found.get(id)?.name ?? '' });
}

/** The evidence about a dispute; undefined for an unknown one. Throws unavailable when identity does not respond. */
export async function evidenceOf(parts: Parts, id: number): Promise<Evidence | undefined> {
  const { database, identity } = parts;
  const { manager } = database;
  const dispute = await findDispute(manager, id);
  if (!dispute) return undefined;
  const { deposit_id, user_id: user, currency, amount } = dispute;
  const paid = callsPaidBy(await spentLines(manager, user), deposit_id);
  const { sign_ins } = await identity.ask('sign-ins.read', { id: user });
  const postingsOf = Map.groupBy(await findPostingsOfCalls(manager, [...paid.keys()]), (posting) => posting.identifier);
  const calls = [...paid].map(([identifier, from_deposit]) => ({
    ...{ identifier, from_deposit },
    postings: (postingsOf.get(identifier) ?? []).map(({ identifier: _, ...posting }) => posting),
  }));
  const people = calls.flatMap(({ postings }) => postings.flatMap(({ debit, credit }) => [debit, credit]));
  const nameOf = await namesOf(
    parts,
    [user, ...people].filter((person) => person > 0),
  );
  return {
    ...{ dispute_id: id, deposit_id, amount, currency, student: nameOf(user) },
    deposited_at: await depositedAt(manager, deposit_id),
    calls: calls.flatMap(
      ({ identifier, from_deposit, postings }) => callOf(identifier, postings, { from_deposit, nameOf }) ?? [],
    ),
    sign_ins,
  };
}
