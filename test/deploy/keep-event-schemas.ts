import { readFile, writeFile } from 'node:fs/promises';
import { catalogue } from '@tutoring/shared/events/catalogue';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';

/*
 * Part of every release (`lerna version` runs it): writes the schemas of the events beside their samples. From then on
 * they are what the next release must stay compatible with.
 */
for (const [name, { schema }] of Object.entries(catalogue)) {
  const file = new URL(`event-samples/${name}.json`, import.meta.url);
  const { samples } = JSON.parse(await readFile(file, 'utf8')) as { samples: unknown[] };
  const { properties, required } = z.toJSONSchema(schema);
  const text = JSON.stringify({ samples, schema: { properties, required } }, null, 2);
  await writeFile(file, await format(text, { ...(await resolveConfig(file)), parser: 'json' }));
}
