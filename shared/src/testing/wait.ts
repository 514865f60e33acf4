/**
 * Calls `probe` every 20 ms until it returns something other than undefined, null or false; fails after `timeoutMs`.
 */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  timeoutMs = 20_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
