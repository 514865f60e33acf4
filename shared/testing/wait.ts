import { isUnavailable } from '../kit/database/refusals.ts';

/** Longer than anything takes on a small machine that runs everything at once; a test fails after ten minutes. */
const TIMEOUT_MS = 180_000;

/**
 * Polls `probe` every 20 ms until its result is not undefined, null or false. Throws after `timeoutMs` and one more
 * probe, because this process itself may have stood still.
 */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let isOver = false; ;) {
    const answer = await probe();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (isOver) throw new Error(`timed out after ${timeoutMs} ms: ${what}`);
    isOver = performance.now() > deadline;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Options for requests to NATS, which may take long on a busy machine. */
export const NATS_TIMEOUT = { timeout: 60_000 };

/** Retries a request as long as the answer is 503, as apps do on a busy machine. */
export const retryWhile503 = <Answer extends { status: number }>(send: () => Promise<Answer>): Promise<Answer> =>
  eventually('a busy service takes the request', async () => {
    const answer = await send();
    return answer.status !== 503 && answer;
  });

/** Retries work that a busy or unavailable database has rolled back. */
export const retryWhileUnavailable = async <T>(work: () => Promise<T>): Promise<T> =>
  (
    await eventually('a busy database does it', () =>
      work().then(
        (value) => ({ value }),
        (error: unknown) => {
          if (!isUnavailable(error)) throw error;
          return undefined;
        },
      ),
    )
  ).value;
