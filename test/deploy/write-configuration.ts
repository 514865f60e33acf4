import { writeFile } from 'node:fs/promises';
import { configurationPage } from './configuration-page.ts';

/* Writes docs/configuration.md from the schemas of the processes. */

await writeFile(new URL('../../docs/configuration.md', import.meta.url), await configurationPage());
