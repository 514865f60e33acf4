import { readFile, writeFile } from 'node:fs/promises';
import { catalogue } from '@tutoring/shared/events/catalogue';
import { commands } from '@tutoring/shared/internal/catalogue';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import { COMMAND_SAMPLES, schemaOf } from './kept-commands.ts';

/*
 * Part of every release (`lerna version` runs it): writes the schemas of events and commands beside their samples. The
 * next release must stay compatible with them.
 */
async function keep(file: URL, present: object): Promise<void> {
  const stored = JSON.parse(await readFile(file, 'utf8')) as object;
  const text = JSON.stringify({ ...stored, ...present }, null, 2);
  await writeFile(file, await format(text, { ...(await resolveConfig(file)), parser: 'json' }));
}

for (const [name, { schema }] of Object.entries(catalogue)) {
  const { properties, required } = z.toJSONSchema(schema);
  await keep(new URL(`event-samples/${name}.json`, import.meta.url), { schema: { properties, required } });
}
for (const [name, command] of Object.entries(commands)) {
  const { method, path, callers } = command;
  await keep(new URL(`${name}.json`, COMMAND_SAMPLES), { method, path, callers, schema: schemaOf(command) });
}
