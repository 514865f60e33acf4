import { describe, expect, test } from '@jest/globals';
import { commands, type CommandName } from '@tutoring/shared/contract/commands';
import type { Command } from '@tutoring/shared/kit/commands/define';
import { releasedMessages, schemaOf } from './released-messages.ts';
import { incompatibilities } from './schema-compatibility.ts';

/*
 * A deployment replaces one service at a time, so callers and owners of a command may have different releases.
 * `released-messages.json` holds requests, responses and schemas of the previous release.
 * test/integration/commands.slow.test.ts sends these requests to the current owners.
 */

const { commands: previousByName } = await releasedMessages();
const NAMES = Object.keys(commands) as CommandName[];

test('every command has samples, and every command of the previous release still exists', () => {
  expect(Object.keys(previousByName).sort()).toEqual([...NAMES].sort());
  expect(NAMES.filter((name) => previousByName[name]!.exchanges.length === 0)).toEqual([]);
});

/** The values of the path parameters in a request's path. */
function parametersOf({ path }: Command, pathname: string): Record<string, string> | undefined {
  const pattern = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  const groups = pattern.exec(pathname)?.groups;
  return pattern.test(pathname) ? { ...groups } : undefined;
}

describe.each(NAMES)('%s', (name) => {
  const command: Command = commands[name];
  const previous = previousByName[name]!;

  test('has the path that the previous release uses', () => {
    const { method, path } = command;
    expect({ method, path }).toEqual({ method: previous.method, path: previous.path });
  });

  test('may be sent by all its callers of the previous release', () => {
    expect(command.callers).toEqual(expect.arrayContaining(previous.callers));
  });

  test('still accepts requests and responses of the previous release', () => {
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

  test('has a schema that is compatible with callers of the previous release', () => {
    expect(incompatibilities(schemaOf(command), previous.schema)).toEqual([]);
  });
});
