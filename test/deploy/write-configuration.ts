import { writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { chartSchema } from './chart-variables.ts';
import { configurationPage } from './configuration-page.ts';
import { text } from './processes.ts';
import { withRightsSection } from './rights-page.ts';

/*
 * Writes docs/configuration.md and the names of variables in the chart's schema from the schemas of the processes, and
 * the section of docs/operations.md about rights.
 */

const write = (path: string, text: string) => writeFile(new URL(`../../${path}`, import.meta.url), text);
await write('docs/configuration.md', await configurationPage());
await write('docs/operations.md', await withRightsSection(await text('docs/operations.md')));
await write('deploy/helm/values.schema.json', await format(await chartSchema(), { parser: 'json', printWidth: 120 }));
