import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Test files and the project's modules are loaded by Node itself, as in production, in the worker's own realm. What
 * stands in node_modules is evaluated once a worker; the project's own modules once for each test file: no test file
 * finds state that another one has left in them.
 */

const PROJECT = new URL('../../', import.meta.url).href;
const GLOBALS = new URL('./globals.ts', import.meta.url).href;
const MARK = /\?test-file=\d+$/;

let files = 0;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const mark = context.parentURL && MARK.exec(context.parentURL)?.[0];
    if (mark === undefined || mark === '') return nextResolve(specifier, context);
    if (specifier === '@jest/globals') return { url: `${GLOBALS}${mark}`, shortCircuit: true };
    // The sources of shared/client, as the dashboard's build reads them: its package is built for other projects.
    const conditions = [...context.conditions, '@tutoring/source'];
    const resolved = nextResolve(specifier, { ...context, conditions });
    const isOwn = resolved.url.startsWith(PROJECT) && !resolved.url.includes('/node_modules/');
    return isOwn ? { ...resolved, url: `${resolved.url}${mark}` } : resolved;
  },
});

/** Imports the test file with fresh instances of the project's modules. */
export async function importTestFile(path: string): Promise<void> {
  files += 1;
  await import(`${pathToFileURL(path).href}?test-file=${files}`);
}
