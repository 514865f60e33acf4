/** The messages of the error and its causes; undefined when `work` succeeds. */
export async function refusalOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const reasons: string[] = [];
    for (let at: unknown = error; at instanceof Error; at = at.cause) reasons.push(at.message);
    return reasons.join('; ');
  }
}
