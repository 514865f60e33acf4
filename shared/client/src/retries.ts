import { backOffMs, isTemporary, pause, retryAfterMs } from './patience.ts';

const ATTEMPTS = 4;
const FIRST_MS = 250;
/** A response that asks to wait longer is returned to the caller. */
const MOST_MS = 10_000;

/** Reads an answer of the interface to its end, so that one that breaks in the middle throws. Not downloads and streams. */
async function whole(answer: Response): Promise<Response> {
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  if (isJson && !answer.headers.has('content-disposition')) await answer.clone().arrayBuffer();
  return answer;
}

/**
 * `fetch` for a request that is safe to repeat. Repeats it at most three times: when no answer came, a part of one, or
 * one that asks to try later. The last answer, or failure, is returned.
 */
export async function fetchWithRetries(request: Request): Promise<Response> {
  for (let failures = 0; ; failures += 1) {
    const isLast = failures === ATTEMPTS - 1;
    let wait = backOffMs(failures, FIRST_MS);
    try {
      const answer = await fetch(request.clone());
      // A 409 to a repeat: the first request, whose response was lost, may still be running.
      const isRunning = answer.status === 409 && failures > 0;
      const asked = retryAfterMs(answer);
      if (isLast || asked > MOST_MS || !(isTemporary(answer) || isRunning)) return await whole(answer);
      wait = Math.max(wait, asked);
      await answer.body?.cancel();
    } catch (error) {
      if (isLast || request.signal.aborted) throw error;
    }
    await pause(wait, request.signal);
  }
}
