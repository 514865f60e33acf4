import type { Charge, ChargeVerdict } from './charge.ts';

/** What waits is shared among the batches that may run, down to this many. */
const SMALL = 8;

interface Waiting {
  charge: Charge;
  resolve(verdict: ChargeVerdict): void;
  reject(error: unknown): void;
}

export interface BatchOptions {
  /** All in one transaction, verdicts in order; may reject as a whole. */
  many(charges: Charge[]): Promise<ChargeVerdict[]>;
  one(charge: Charge): Promise<ChargeVerdict>;
  /** Largest batch. */
  size: number;
  /** Batches at the database at the same time. */
  atOnce: number;
}

/**
 * Gathers charges that arrive while earlier ones are at the database and sends them together, so that they share one
 * round trip and one COMMIT. Nobody pays twice in a batch, nor pays and is paid; who is in a batch already waits for the
 * next one. When a batch fails, each of its charges runs on its own, so nobody is hurt by a neighbour.
 */
export function createChargeBatch({ many, one, size, atOnce }: BatchOptions) {
  let queue: Waiting[] = [];
  let running = 0;
  let scheduled = false;
  const busy = new Set<number>();

  function take(): Waiting[] {
    const share = Math.max(SMALL, Math.ceil(queue.length / (atOnce - running)));
    const batch: Waiting[] = [];
    const payers = new Set<number>();
    const payees = new Set<number>();
    const rest: Waiting[] = [];
    for (const waiting of queue) {
      const { studentId, teacherId } = waiting.charge;
      const fits =
        !busy.has(studentId) &&
        !busy.has(teacherId) &&
        !payers.has(studentId) &&
        !payees.has(studentId) &&
        !payers.has(teacherId);
      if (batch.length >= Math.min(size, share) || !fits) {
        rest.push(waiting);
        continue;
      }
      payers.add(studentId);
      payees.add(teacherId);
      batch.push(waiting);
    }
    queue = rest;
    return batch;
  }

  const alone = (waiting: Waiting) => one(waiting.charge).then(waiting.resolve, waiting.reject);

  async function send(batch: Waiting[]): Promise<void> {
    const [first] = batch;
    if (batch.length === 1 && first) return alone(first);
    try {
      const verdicts = await many(batch.map(({ charge }) => charge));
      batch.forEach((waiting, index) => waiting.resolve(verdicts[index] as ChargeVerdict));
    } catch {
      await Promise.all(batch.map(alone));
    }
  }

  function pump(): void {
    scheduled = false;
    while (running < atOnce) {
      const batch = take();
      if (batch.length === 0) return;
      const users = batch.flatMap(({ charge }) => [charge.studentId, charge.teacherId]);
      for (const user of users) busy.add(user);
      running += 1;
      void send(batch).finally(() => {
        for (const user of users) busy.delete(user);
        running -= 1;
        schedule();
      });
    }
  }

  function schedule(): void {
    if (scheduled || queue.length === 0) return;
    scheduled = true;
    setImmediate(pump);
  }

  return (charge: Charge): Promise<ChargeVerdict> =>
    new Promise((resolve, reject) => {
      queue.push({ charge, resolve, reject });
      schedule();
    });
}
