import { errorOf } from './server.ts';

/** The path of a page's entry script, which contains a content hash. */
const scriptOf = (page: Document) => page.querySelector('script[type=module][src]')?.getAttribute('src') ?? null;

/** The entry script of the build that the gateway serves, or null if it is the running one. Throws Refusal. */
async function newRelease(): Promise<string | null> {
  try {
    const answer = await fetch(import.meta.env.BASE_URL, { cache: 'no-cache' });
    const served = scriptOf(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    return served === scriptOf(document) ? null : served;
  } catch (error) {
    throw errorOf(error);
  }
}

/** The query for a new release. It is fetched only on demand. */
export const RELEASE = { queryKey: ['release'], queryFn: newRelease };
