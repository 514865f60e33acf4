import { readFile, writeFile } from 'node:fs/promises';
import { catalogue } from '@tutoring/shared/contract/events';
import { commands } from '@tutoring/shared/contract/commands';
import type { Command } from '@tutoring/shared/kit/commands/define';
import type { ProcessName } from '@tutoring/shared/contract/names';
import { z } from 'zod';
import type { Schema } from './schema-compatibility.ts';

/** An event of the previous release: examples of its data, and their schema. */
interface ReleasedEvent {
  samples: unknown[];
  schema: Schema;
}

/** A command of the previous release, with examples of its requests and responses. */
interface ReleasedCommand {
  method: string;
  path: string;
  callers: ProcessName[];
  exchanges: { request: { target: string; body?: Record<string, unknown> }; answer: unknown }[];
  schema: Schema;
}

interface ReleasedMessages {
  events: Record<string, ReleasedEvent>;
  commands: Record<string, ReleasedCommand>;
}

const RELEASED = new URL('released-messages.json', import.meta.url);

/** The events and commands of the previous release, by name. */
export async function releasedMessages(): Promise<ReleasedMessages> {
  return JSON.parse(await readFile(RELEASED, 'utf8')) as ReleasedMessages;
}

/** The schema of the parsed request and response of a command. */
export function schemaOf({ params, query, body, answer }: Command): Schema {
  const whole = z.object({ ...(params && { params }), ...(query && { query }), ...(body && { body }), answer });
  const { properties, required } = z.toJSONSchema(whole) as Schema;
  return { properties: properties ?? {}, required: required ?? [] };
}

/** JSON with a line for each value at `depth`, so that a change of an example or a schema changes one line. */
function lines(value: unknown, depth: number, indent = ''): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item) => lines(item, depth - 1, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${lines(item, depth - 1, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return items.length === 0 ? `${open}${close}` : `${open}\n${inner}${items.join(`,\n${inner}`)}\n${indent}${close}`;
}

/** Events and commands: a line for each property, for each example and for each schema. */
const DEPTH = 4;

/** Records the present schemas of events and commands for a release. The examples stay. */
export async function recordMessages(): Promise<void> {
  const { events, commands: previous } = await releasedMessages();
  for (const [name, { schema }] of Object.entries(catalogue)) {
    const { properties, required } = z.toJSONSchema(schema) as Schema;
    events[name] = { samples: events[name]?.samples ?? [], schema: { properties: properties!, required: required! } };
  }
  for (const [name, command] of Object.entries(commands)) {
    const { method, path, callers } = command;
    const exchanges = previous[name]?.exchanges ?? [];
    previous[name] = { method, path, callers, exchanges, schema: schemaOf(command) };
  }
  await writeFile(RELEASED, `${lines({ events, commands: previous }, DEPTH)}\n`);
}
