import { backOffMs, isTemporary, pause, retryAfterMs } from './patience.ts';

const ATTEMPTS = 4;
const FIRST_MS = 250;
/** A response that asks to wait longer is returned to the caller. */
const MOST_MS = 10_000;

/** Whether sending the request twice has the effect of sending it once. */
const isSafe = ({ method, headers }: Request) => method === 'GET' || headers.has('idempotency-key');

/**
 * `fetch` that repeats what is safe to repeat, at most three times: when no answer came, or one that asks to try later.
 * The last answer, or failure, is returned.
 */
export async function fetchWithRetries(request: Request): Promise<Response> {
  if (!isSafe(request)) return fetch(request);
  for (let failures = 0; ; failures += 1) {
    const isLast = failures === ATTEMPTS - 1;
    let wait = backOffMs(failures, FIRST_MS);
    try {
      const answer = await fetch(request.clone());
      // A 409 to a repeat: the first request, whose response was lost, may still be running.
      const isRunning = answer.status === 409 && failures > 0;
      wait = Math.max(wait, retryAfterMs(answer));
      if (isLast || wait > MOST_MS || !(isTemporary(answer) || isRunning)) return answer;
      await answer.body?.cancel();
    } catch (error) {
      if (isLast || request.signal.aborted) throw error;
    }
    await pause(wait, request.signal);
  }
}
