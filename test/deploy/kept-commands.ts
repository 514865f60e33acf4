import { readdir, readFile } from 'node:fs/promises';
import type { Command } from '@tutoring/shared/internal/define';
import type { ProcessName } from '@tutoring/shared/process/names';
import { z } from 'zod';
import type { Schema } from './schema-compatibility.ts';

/** A command of the previous release, with samples of its requests and responses. */
export interface PreviousCommand {
  method: string;
  path: string;
  callers: ProcessName[];
  exchanges: { request: { target: string; body?: Record<string, unknown> }; answer: unknown }[];
  schema: Schema;
}

export const COMMAND_SAMPLES = new URL('command-samples/', import.meta.url);

export async function previousCommands(): Promise<Map<string, PreviousCommand>> {
  const files = (await readdir(COMMAND_SAMPLES)).sort();
  const entries = files.map(async (file): Promise<[string, PreviousCommand]> => {
    const text = await readFile(new URL(file, COMMAND_SAMPLES), 'utf8');
    return [file.replace('.json', ''), JSON.parse(text) as PreviousCommand];
  });
  return new Map(await Promise.all(entries));
}

/** The schema of the parsed request and response of a command. */
export function schemaOf({ params, query, body, answer }: Command): Schema {
  const whole = z.object({ ...(params && { params }), ...(query && { query }), ...(body && { body }), answer });
  const { properties, required } = z.toJSONSchema(whole) as Schema;
  return { properties: properties ?? {}, required: required ?? [] };
}
