import type { Tx } from '@tutoring/shared/database/open';
import type { Finding, Subjects } from './audit.ts';
import {
  compareTouched,
  recount,
  recountNext,
  type Bounds,
  type Look,
  type Start,
  type Waiting,
} from './balance-store.ts';
import { blockFindings, GENESIS, seal, type Block } from './block.ts';
import * as blocks from './block-store.ts';
import { openSubjects, saveFindings } from './finding-store.ts';
import { findWrongOf, findWrongTransfers, nextRows, subjectsOf, usersOf } from './scope-store.ts';
import { beginning, findCursor, FRONT, ROUNDS, saveCursor, type Round } from './walk-store.ts';

/** Transfers of a block, and of a step: a step costs the same whatever the size of the ledger. */
export const STEP_ROWS = 5_000;
/** A payment, a deposit or a withdrawal has several transfers. */
const TRANSFERS_OF_A_NOUN = 5;
/** Transfers of accounts that are checked again because of a finding. */
const SUSPECTED = 100_000;

const HEAD = 'the newest block is the one that was written last';
const TOTALS = 'blocks and statistics have counted the same transfers';

/** Findings that were not known before. */
type Fresh = Promise<Finding[]>;

async function checkAccounts(tx: Tx, look: Look, isFinal: boolean): Fresh {
  const findings = [...look.findings, ...(await findWrongOf(tx, 'account', look.compared))];
  return saveFindings(tx, 'account', isFinal ? look.compared : [], findings);
}

/** One block, with its rows. Returns whether both are as they were audited. */
async function checkBlock(tx: Tx, number: number): Promise<{ isSound: boolean; fresh: Finding[] }> {
  const [previous, block] = [await blocks.findBlock(tx, number - 1), await blocks.findBlock(tx, number)];
  const broken = block
    ? blockFindings(previous, block, await blocks.contentOf(tx, block.after_id, block.up_to_id))
    : [{ check: 'every block is there', subject: `block:${number}`, expected: 'a block', found: 'none' }];
  const wrong = block ? await findWrongTransfers(tx, block.after_id, block.up_to_id) : [];
  const key = String(number);
  const findings = [...broken, ...wrong].map((finding) => ({ ...finding, key }));
  return { isSound: broken.length === 0, fresh: await saveFindings(tx, 'block', [key], findings) };
}

/** Calls, deposits, withdrawals, holds and payments, with all that belongs to them. */
async function checkNouns(tx: Tx, subjects: Subjects): Fresh {
  const fresh: Finding[] = [];
  for (const kind of ['call', 'deposit', 'withdrawal', 'hold', 'payment'] as const) {
    const keys = subjects[kind] ?? new Set();
    if (keys.size > 0) fresh.push(...(await saveFindings(tx, kind, keys, await findWrongOf(tx, kind, keys))));
  }
  return fresh;
}

/** Everything that did not add up before. */
async function checkAgain(tx: Tx, settled: number): Fresh {
  const subjects = await openSubjects(tx);
  const fresh = await checkNouns(tx, subjects);
  for (const block of subjects.block ?? []) fresh.push(...(await checkBlock(tx, Number(block))).fresh);
  const accounts = subjects.account ?? new Set<string>();
  if (accounts.size > 0)
    fresh.push(...(await checkAccounts(tx, await recount(tx, accounts, { limit: SUSPECTED, settled }), true)));
  return fresh;
}

/** Where the walk along the newest transfers has got, and whose accounts it has still to compare. */
type Front = Pick<Block, 'block' | 'chain'> & { waiting?: Waiting | undefined };

/** Compares the accounts of touched users, as many as one step may; returns those that are left. */
async function compareSome(
  tx: Tx,
  touched: Waiting,
  bounds: Bounds,
): Promise<{ waiting: Waiting | undefined; fresh: Finding[] }> {
  const look = await compareTouched(tx, touched, await beginning(tx), bounds);
  const start = look.unfinished;
  const waiting = start && { users: touched.users.filter((user) => user >= start.user_id), start };
  return { waiting, fresh: await checkAccounts(tx, look, false) };
}

const saveHead = (tx: Tx, check: string, [expected, found]: [string, string]) =>
  saveFindings(
    tx,
    'head',
    [check],
    expected === found ? [] : [{ key: check, check, subject: 'the newest block', expected, found }],
  );

type Counted = Awaited<ReturnType<typeof blocks.counted>>;

/** The newest block, and the one that the next transfers follow; undefined when the newest is not the one last written. */
async function findHead(
  tx: Tx,
  known: Front,
  size: number,
): Promise<{ head: Block; base: Block | undefined; fresh: Finding[] }> {
  const head = await blocks.lastBlock(tx);
  const fresh = await saveHead(tx, HEAD, [`${known.block} ${known.chain}`, `${head.block} ${head.chain}`]);
  if (known.block !== head.block || known.chain !== head.chain) return { head, base: undefined, fresh };
  if (head.block === 0) return { head, base: head, fresh };
  const checked = await checkBlock(tx, head.block);
  fresh.push(...checked.fresh);
  // A block that is not full grows; one that does not add up is left as it is.
  const isOpen = checked.isSound && head.transfers < size;
  return { head, base: isOpen ? await blocks.findBlock(tx, head.block - 1) : head, fresh };
}

/**
 * Puts the next settled transfers into the newest block, or into one of their own, and checks what they belong to; or
 * goes on with the accounts that a step before had no room for. `isBehind`: there is more.
 */
async function goForward(tx: Tx, size: number, now: Counted): Promise<{ isBehind: boolean; fresh: Finding[] }> {
  const front: Front = (await findCursor<Front>(tx, FRONT)) ?? GENESIS;
  const bounds = { limit: 10 * size, settled: now.settled };
  if (front.waiting) {
    const compared = await compareSome(tx, front.waiting, bounds);
    await saveCursor(tx, FRONT, { ...front, waiting: compared.waiting }, false);
    return { isBehind: true, fresh: compared.fresh };
  }
  const { head, base, fresh } = await findHead(tx, front, size);
  if (!base) return { isBehind: false, fresh };
  const from = head.up_to_id;
  const inside = base === head ? 0 : head.transfers;
  const upTo = Math.max(from, await blocks.endOfNext(tx, from, now.settled, size - inside));
  const content = await blocks.contentOf(tx, base.up_to_id, upTo);
  const isLonger = content.transfers > inside;
  const newest = isLonger ? seal(base, upTo, content) : head;
  let waiting: Waiting | undefined;
  if (isLonger) {
    await blocks.saveBlock(tx, newest);
    fresh.push(...(await checkNew(tx, newest, { from, settled: now.settled })));
    const users = [...((await usersOf(tx, from, upTo)).account ?? [])].map(Number);
    const compared = await compareSome(tx, { users }, bounds);
    fresh.push(...compared.fresh);
    waiting = compared.waiting;
  }
  const isBehind = upTo < now.settled || waiting !== undefined;
  if (!isBehind) {
    const own = `${newest.total_transfers} of ${newest.total_amount}`;
    fresh.push(...(await saveHead(tx, TOTALS, [`${now.transfers} of ${now.amount}`, own])));
  }
  await saveCursor(tx, FRONT, { block: newest.block, chain: newest.chain, waiting }, !isBehind);
  return { isBehind, fresh };
}

/** The transfers of a block above the id `from`, and what they belong to. */
async function checkNew(tx: Tx, block: Block, { from, settled }: { from: number; settled: number }): Fresh {
  const key = String(block.block);
  const wrong = (await findWrongTransfers(tx, from, block.up_to_id)).map((finding) => ({ ...finding, key }));
  const fresh = await saveFindings(tx, 'block', [], wrong);
  return [...fresh, ...(await checkNouns(tx, await subjectsOf(tx, from, block.up_to_id, settled)))];
}

async function goRoundAccounts(tx: Tx, bounds: Bounds): Fresh {
  const start = (await findCursor<Start>(tx, 'accounts')) ?? { user_id: 0, after_id: 0, total: 0 };
  const look = await recountNext(tx, start, bounds);
  const next = look.unfinished ?? { user_id: (look.last ?? -1) + 1, after_id: 0, total: 0 };
  await saveCursor(tx, 'accounts', next, look.last === undefined);
  return checkAccounts(tx, look, true);
}

async function goRoundBlocks(tx: Tx): Fresh {
  const number = ((await findCursor<{ block: number }>(tx, 'blocks'))?.block ?? 0) + 1;
  const last = await blocks.lastBlock(tx);
  const isOver = number > last.block;
  await saveCursor(tx, 'blocks', { block: isOver ? 0 : number }, isOver);
  if (isOver) return [];
  const { fresh } = await checkBlock(tx, number);
  const block = await blocks.findBlock(tx, number);
  if (block) fresh.push(...(await checkNouns(tx, await subjectsOf(tx, block.after_id, block.up_to_id, last.up_to_id))));
  return fresh;
}

async function goRoundRows(tx: Tx, round: Exclude<Round, 'blocks' | 'accounts'>, limit: number): Fresh {
  const cursor = await findCursor<{ after?: string | number }>(tx, round);
  const { subjects, last } = await nextRows(tx, round, cursor?.after, limit);
  await saveCursor(tx, round, last === undefined ? {} : { after: last }, last === undefined);
  return checkNouns(tx, subjects);
}

/**
 * One step of the audit, in one snapshot: what did not add up before, the newest transfers, and, when these are through,
 * a piece of each round over all that was audited before. `found`: what was not known before; `isBehind`: new transfers
 * are left.
 */
export async function auditStep(tx: Tx, size = STEP_ROWS): Promise<{ isBehind: boolean; found: Finding[] }> {
  const now = await blocks.counted(tx);
  const { isBehind, fresh } = await goForward(tx, size, now);
  fresh.push(...(await checkAgain(tx, now.settled)));
  for (const round of isBehind ? [] : ROUNDS) {
    if (round === 'accounts') fresh.push(...(await goRoundAccounts(tx, { limit: 2 * size, settled: now.settled })));
    else if (round === 'blocks') fresh.push(...(await goRoundBlocks(tx)));
    else
      fresh.push(...(await goRoundRows(tx, round, round === 'holds' ? size : Math.ceil(size / TRANSFERS_OF_A_NOUN))));
  }
  return { isBehind, found: fresh };
}
