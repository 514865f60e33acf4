import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

/** `npm run dev -w dashboard` serves the working tree's pages, and proxies API requests here (`npm start`). */
const API = 'http://127.0.0.1:8080';

const ENTRIES = 'object.entries';

/** Replaces node-polyglot's polyfill of `Object.entries`: several kilobytes that no supported browser needs. */
const nativeEntries: Plugin = {
  name: 'native-entries',
  enforce: 'pre',
  resolveId: (name) => (name === ENTRIES ? `\0${ENTRIES}` : undefined),
  load: (id) => (id === `\0${ENTRIES}` ? 'module.exports = Object.entries;' : undefined),
};

/** Modules of the first load that import no page, and the function by which pages are loaded. */
const CORE =
  /vite\/preload-helper|\/dashboard\/src\/((data|generated|i18n|live|server|shared|sign-in)\/|(auth-provider|data-provider|theme)\.ts$)/;

export default defineConfig({
  root: import.meta.dirname,
  base: '/admin/',
  plugins: [nativeEntries, react()],
  // Uses the typed client's sources: it is built only for apps outside this repository.
  resolve: { conditions: ['@tutoring/source', ...defaultClientConditions] },
  build: {
    // `.vite/manifest.json` is not served. release.ts and the test of the first load's size read it.
    manifest: true,
    chunkSizeWarningLimit: 1_000,
    // No inlined assets: the Content-Security-Policy would have to allow `data:` URLs.
    assetsInlineLimit: 0,
    // The polyfill is an inline script, which the policy forbids. Browsers since 2023 support module preload.
    modulePreload: { polyfill: false },
    target: 'es2022',
    rolldownOptions: {
      output: {
        codeSplitting: {
          // The entry chunk names every page's chunk, so its name changes with any of them. What pages import from the first
          // load stays out of it; otherwise all names would change.
          groups: [
            { name: 'vendor', tags: ['$initial'], test: /\/node_modules\// },
            { name: 'core', tags: ['$initial'], test: CORE },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': API } },
});
