import { createHash } from 'node:crypto';
import type { Finding } from './audit.ts';

/** The rows of a block, as they are in the ledger. */
export interface Content {
  transfers: number;
  amount: number;
  /** SHA-256 of the rows. */
  digest: string;
}

/** A checkpoint over the transfers with `after_id` < id <= `up_to_id`; the totals include all blocks before it. */
export interface Block extends Content {
  block: number;
  after_id: number;
  up_to_id: number;
  total_transfers: number;
  total_amount: number;
  /** Depends on everything here and on the chain of the block before. */
  chain: string;
}

/** Stands before the first block. */
export const GENESIS: Block = {
  block: 0,
  after_id: 0,
  up_to_id: 0,
  transfers: 0,
  amount: 0,
  digest: '',
  total_transfers: 0,
  total_amount: 0,
  chain: '',
};

/** The block that follows `previous` and reaches up to an id. */
export function seal(previous: Block, upToId: number, content: Content): Block {
  const block = {
    block: previous.block + 1,
    after_id: previous.up_to_id,
    up_to_id: upToId,
    ...content,
    total_transfers: previous.total_transfers + content.transfers,
    total_amount: previous.total_amount + content.amount,
  };
  const { transfers, amount, digest, total_transfers, total_amount } = block;
  const facts = [block.block, block.after_id, upToId, transfers, amount, digest, total_transfers, total_amount];
  const chain = createHash('sha256')
    .update([previous.chain, ...facts].join('|'))
    .digest('hex');
  return { ...block, chain };
}

const shown = ({ transfers, amount, digest }: Content) =>
  `${transfers} transfers of ${amount} (${digest.slice(0, 16)})`;

/** What is wrong with a block: with the rows under it, or with itself. */
export function blockFindings(previous: Block | undefined, block: Block, content: Content): Finding[] {
  const subject = `block:${block.block}`;
  const ids = `${subject} (transfers ${block.after_id + 1} to ${block.up_to_id})`;
  const findings: Finding[] = [];
  if (shown(block) !== shown(content) || block.digest !== content.digest)
    findings.push({
      check: 'the transfers of a block are those that were audited',
      subject: ids,
      expected: shown(block),
      found: shown(content),
    });
  const sealed = previous && seal(previous, block.up_to_id, block);
  if (!sealed || sealed.chain !== block.chain || sealed.total_amount !== block.total_amount)
    findings.push({
      check: 'a block follows from the one before it',
      subject,
      expected: sealed?.chain ?? `after block ${block.block - 1}`,
      found: block.chain,
    });
  return findings;
}
