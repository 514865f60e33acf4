import { hash as argon2, verify as argon2Verify } from '@node-rs/argon2';
import { hashingBusy } from '../errors.ts';

const AT_ONCE = 2;
const QUEUE = 50;

/** Runs at most two at a time and keeps at most fifty waiting; throws unavailable (with Retry-After) for more. */
export function createBoundedQueue(atOnce = AT_ONCE, queue = QUEUE) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async function run<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= queue) throw hashingBusy();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

export interface HashCost {
  memoryKib: number;
  passes: number;
}

/** argon2id behind a bounded queue. */
export async function createHasher(cost: HashCost) {
  const options = { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: 1 };
  const run = createBoundedQueue();
  const nobody = await argon2('nobody has this password', options);

  return {
    hash: (password: string) => run(() => argon2(password, options)),

    /** Whether the password is the one of `hash`; without a hash it costs the same and is false. */
    verify: (hash: string | null | undefined, password: string) =>
      run(async () => {
        const same = await argon2Verify(hash ?? nobody, password);
        return same && hash !== null && hash !== undefined;
      }),
  };
}

export type Hasher = Awaited<ReturnType<typeof createHasher>>;
