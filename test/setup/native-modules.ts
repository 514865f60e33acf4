import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Node itself loads test files and the project's modules, as in production, in the realm of the worker. Packages in
 * node_modules are evaluated once per worker, the project's modules once per test file, so that test files share no
 * state.
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
    // Resolves shared/client to its sources, as in the dashboard's build; its package is built for other projects.
    const conditions = [...context.conditions, '@tutoring/source'];
    const resolved = nextResolve(specifier, { ...context, conditions });
    const isOwn = resolved.url.startsWith(PROJECT) && !resolved.url.includes('/node_modules/');
    return isOwn ? { ...resolved, url: `${resolved.url}${mark}` } : resolved;
  },
});

/** Imports a test file with new instances of the project's modules. */
export async function importTestFile(path: string): Promise<void> {
  files += 1;
  await import(`${pathToFileURL(path).href}?test-file=${files}`);
}
