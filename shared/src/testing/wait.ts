import { isUnavailable } from '../database/refusals.ts';

/**
 * Calls `probe` every 20 ms until it returns something other than undefined, null or false; fails after `timeoutMs`.
 */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** For what is asked of NATS, which a busy machine answers late. */
export const PATIENT = { timeout: 60_000 };

/** Sends a request again as long as a busy machine refuses it, as apps do. */
export const insist = <Answer extends { status: number }>(send: () => Promise<Answer>): Promise<Answer> =>
  eventually('a busy service takes the request', async () => {
    const answer = await send();
    return answer.status !== 503 && answer;
  });

/** Does again what a busy database gives up: it has done nothing then. */
export const insistOn = async <T>(work: () => Promise<T>): Promise<T> =>
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
