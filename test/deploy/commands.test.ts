import { describe, expect, test } from '@jest/globals';
import { commands, type CommandName } from '@tutoring/shared/internal/catalogue';
import type { Command } from '@tutoring/shared/internal/define';
import { keptCommands, schemaOf } from './kept-commands.ts';
import { incompatibilities } from './schema-compatibility.ts';

/*
 * A release replaces one service at a time: its callers ask owners of the previous release, and it is asked by callers of
 * it. `command-samples` holds what the previous release asked and was answered, and its schemas; that today's owners
 * understand it is tested in test/integration/commands.test.ts, where they run.
 */

const kept = await keptCommands();
const NAMES = Object.keys(commands) as CommandName[];

test('every command has samples, and no command is gone that the previous release sends', () => {
  expect([...kept.keys()].sort()).toEqual([...NAMES].sort());
  expect([...kept].filter(([, { exchanges }]) => exchanges.length === 0)).toEqual([]);
});

/** The parts of a request's address that the command's path names. */
function parametersOf({ path }: Command, pathname: string): Record<string, string> | undefined {
  const pattern = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  const groups = pattern.exec(pathname)?.groups;
  return pattern.test(pathname) ? { ...groups } : undefined;
}

describe.each(NAMES)('%s', (name) => {
  const command: Command = commands[name];
  const previous = kept.get(name)!;

  test('is asked where the previous release asks it', () => {
    const { method, path } = command;
    expect({ method, path }).toEqual({ method: previous.method, path: previous.path });
  });

  test('still takes in what the previous release asked and answered', () => {
    for (const { request, answer } of previous.exchanges) {
      const { pathname, searchParams } = new URL(request.target, 'http://owner.test');
      const parameters = parametersOf(command, pathname);
      expect(parameters).toBeDefined();
      command.params?.parse(parameters);
      const asked = Object.fromEntries(searchParams);
      expect(Object.keys(command.query?.parse(asked) ?? {})).toEqual(Object.keys(asked));
      expect(command.body?.parse(request.body) ?? {}).toEqual(request.body ?? {});
      expect(command.answer.parse(answer)).toEqual(answer);
    }
  });

  test('gives the previous release what it needs', () => {
    expect(incompatibilities(schemaOf(command), previous.schema)).toEqual([]);
  });
});
