import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { installGenerators } from '../generators/install.ts';
import { startSystem } from './system.ts';

/* Generators that app teams use, with the document of `GET api/openapi.json?envelope=strict`. */

interface Operation {
  parameters?: { $ref?: string }[];
}

let operations: Operation[];
let commands: string;
let folder: string;
let document: string;
beforeAll(async () => {
  const system = await startSystem();
  const { text } = await system.request('GET', 'api/openapi.json?envelope=strict');
  await system.stop();
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> };
  operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  folder = await mkdtemp(join(tmpdir(), 'generated-'));
  document = join(folder, 'openapi.json');
  await writeFile(document, text);
  commands = await installGenerators();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const generate = (command: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(commands, command), ...args], { cwd: folder });

/** The types `any` in a file, and the errors of the compiler. */
async function faultsIn(path: string, source: string): Promise<string[]> {
  const parsed = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(`any: ${node.parent.getText().slice(0, 200)}`);
    node.forEachChild(visit);
  };
  visit(parsed);
  const program = ts.createProgram([path], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
  const errors = ts.getPreEmitDiagnostics(program);
  return [...found, ...errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))];
}

test.each([
  ['hey-api', 'openapi-ts', ['-o', 'hey', '-p', '@hey-api/typescript', '-s', '-i'], 'hey/types.gen.ts'],
  ['orval', 'orval', ['--output', 'orval.ts', '--client', 'fetch', '--input'], 'orval.ts'],
])('%s makes TypeScript that compiles, with named types and without `any`', async (_name, command, args, file) => {
  await generate(command, ...args, document);
  const path = join(folder, file);
  const source = await readFile(path, 'utf8');
  expect(await faultsIn(path, source)).toEqual([]);
  expect(source).toMatch(/^export (?:type WalletDeposit =|interface WalletDeposit) \{$/m);
});

test('Postman gets a request for each operation, with the header where the document has it', async () => {
  interface Item {
    item?: Item[];
    request?: { header: { key: string; value: string }[] };
  }
  const requestsOf = (items: Item[]): NonNullable<Item['request']>[] =>
    items.flatMap(({ request, item = [] }) => [...(request ? [request] : []), ...requestsOf(item)]);
  await generate('openapi2postmanv2', '-s', document, '-o', 'postman.json');
  const { item } = JSON.parse(await readFile(join(folder, 'postman.json'), 'utf8')) as { item: Item[] };
  const requests = requestsOf(item);
  expect(requests).toHaveLength(operations.length);
  const strict = requests.filter(({ header }) =>
    header.some(({ key, value }) => key === 'X-Envelope' && value === 'strict'),
  );
  const wanted = operations.filter(({ parameters = [] }) =>
    parameters.some(({ $ref }) => $ref === '#/components/parameters/XEnvelope'),
  );
  expect(strict).toHaveLength(wanted.length);
});
