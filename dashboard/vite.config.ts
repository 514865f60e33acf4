import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

/** `npm run dev -w dashboard`: the pages of the working tree in front of the gateway of `npm start`. */
const API = 'http://127.0.0.1:8080';

const ENTRIES = 'object.entries';

/** node-polyglot brings a stand-in for `Object.entries`, several kilobytes that no browser needs. */
const nativeEntries: Plugin = {
  name: 'native-entries',
  enforce: 'pre',
  resolveId: (name) => (name === ENTRIES ? `\0${ENTRIES}` : undefined),
  load: (id) => (id === `\0${ENTRIES}` ? 'module.exports = Object.entries;' : undefined),
};

/** Modules of the first load that import no page, and the function by which pages are loaded. */
const CORE =
  /vite\/preload-helper|\/dashboard\/src\/((data|i18n|live|server|shared|sign-in)\/|(auth-provider|data-provider|theme)\.ts$)/;

export default defineConfig({
  root: import.meta.dirname,
  base: '/admin/',
  plugins: [nativeEntries, react()],
  // The typed client's sources: it is built only for apps outside of this repository.
  resolve: { conditions: ['@tutoring/source', ...defaultClientConditions] },
  build: {
    // `.vite/manifest.json`, which the gateway does not serve: read by the test of the first load's size.
    manifest: true,
    chunkSizeWarningLimit: 1_000,
    // A file of a few bytes is a request like any other, and stays out of `data:` URLs that the policy would have to allow.
    assetsInlineLimit: 0,
    // The policy allows no inline script; every browser since 2023 preloads modules by itself.
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
