import { writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { chartSchema } from './chart-variables.ts';
import { configurationPage } from './configuration-page.ts';

/* Writes docs/configuration.md and the names of variables in the chart's schema from the schemas of the processes. */

const write = (path: string, text: string) => writeFile(new URL(`../../${path}`, import.meta.url), text);
await write('docs/configuration.md', await configurationPage());
await write('deploy/helm/values.schema.json', await format(await chartSchema(), { parser: 'json', printWidth: 120 }));
