import { errorOf } from './server.ts';

/** The script with which a page of a build begins; its name holds the hash of its content. */
const scriptOf = (page: Document) => page.querySelector('script[type=module][src]')?.getAttribute('src') ?? null;

/** The other build that the gateway serves by now; null while it is the one that runs here. Throws Refusal. */
export async function newRelease(): Promise<string | null> {
  try {
    const answer = await fetch(import.meta.env.BASE_URL, { cache: 'no-cache' });
    const served = scriptOf(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    return served === scriptOf(document) ? null : served;
  } catch (error) {
    throw errorOf(error);
  }
}

/** The query that knows it, asked when there is a reason to. */
export const RELEASE = { queryKey: ['release'], queryFn: newRelease };
