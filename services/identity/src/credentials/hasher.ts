import { hash as argon2, verify as argon2Verify } from '@node-rs/argon2';
import { networkOf } from '@tutoring/shared/process/client-network';
import type { IdentityConfig } from '../config.ts';
import { createFairQueue } from './fair-queue.ts';

/** Account whose password it is, and the client's address. */
interface OnBehalfOf {
  account: string;
  address: string;
}

const HASHES_AT_ONCE = 2;
/** More than hashes: while one attempt asks the database, another one hashes. */
const TURNS_AT_ONCE = 4;
const ANYBODY = { account: '', network: '' };

/** argon2id behind a fair queue. */
export async function createHasher(config: Pick<IdentityConfig, 'ARGON2_MEMORY_KIB' | 'ARGON2_PASSES'>) {
  const options = { memoryCost: config.ARGON2_MEMORY_KIB, timeCost: config.ARGON2_PASSES, parallelism: 1 };
  const run = createFairQueue(TURNS_AT_ONCE);
  const hashes = createFairQueue(HASHES_AT_ONCE);
  const nobody = await argon2('nobody has this password', options);

  /** Runs `work` when it is the client's turn. */
  const inTurn = <T>({ account, address }: OnBehalfOf, work: () => Promise<T>) =>
    run({ account, network: networkOf(address) }, work);

  return {
    inTurn,
    hash: (password: string, client: OnBehalfOf) =>
      inTurn(client, () => hashes(ANYBODY, () => argon2(password, options))),

    /** Whether the password matches `hash`; without a hash it costs the same and returns false. Call it `inTurn`. */
    async compare(hash: string | null | undefined, password: string): Promise<boolean> {
      const same = await hashes(ANYBODY, () => argon2Verify(hash ?? nobody, password));
      return same && hash !== null && hash !== undefined;
    },
  };
}

export type Hasher = Awaited<ReturnType<typeof createHasher>>;
