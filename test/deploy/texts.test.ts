import { describe, expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { runInContext } from '@tutoring/shared/kit/process/context';
import type { Language } from '@tutoring/shared/kit/process/language';
import { texts as sharedTexts } from '@tutoring/shared/kit/language/texts';
import { texts as gatewayTexts } from '../../gateway/src/texts.ts';
import { texts as callsTexts } from '../../services/calls/src/texts.ts';
import { texts as identityTexts } from '../../services/identity/src/texts.ts';
import { texts as messagingTexts } from '../../services/messaging/src/texts.ts';
import { texts as walletTexts } from '../../services/wallet/src/texts.ts';

/*
 * All texts for users are in the catalogues, complete in each language. Code must read a text at the time of use: a
 * text that is read while a module loads would be English for everybody.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));
const CATALOGUES = /\/texts\.ts$/;
/** Files with English texts only: the API reference, and the output of command-line tools. */
const OTHERS = /^gateway\/src\/reference\/|^shared\/testing\/|\/main\.ts$/;

const sources = globSync('{{gateway,services/*}/src,shared/{contract,kit,testing}}/**/*.ts', { cwd: root })
  .filter((path) => !CATALOGUES.test(path) && !OTHERS.test(path))
  .sort()
  .map((path) => ({
    path,
    tree: ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true),
  }));

const DOCUMENTATION = ['summary', 'description', 'example', 'examples', 'webhookNote'];
/** Functions whose texts are for developers and operators: API reference, logs, unexpected errors. */
const NOT_FOR_PEOPLE = /(^|\.)(describe|meta|debug|info|warn|error|fatal)$/;

function isForPeople(node: ts.Node): boolean {
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    const { parent } = at;
    if (ts.isPropertyAssignment(parent) && DOCUMENTATION.includes(parent.name.getText())) return false;
    if (ts.isNewExpression(parent) && /Error$/.test(parent.expression.getText()))
      return parent.expression.getText() === 'AppError';
    if (ts.isCallExpression(parent) && at !== parent.expression && NOT_FOR_PEOPLE.test(parent.expression.getText()))
      return false;
    if (ts.isFunctionLike(parent)) return true;
  }
  return true;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `#${literal.text}`).join('');
}

/** Whether the text looks like a sentence or like HTML text. */
const isSentence = (text: string) =>
  /^\p{Lu}[^\n]*\s[^\n]*[.!?…]$/u.test(text) ||
  /<(p|h\d|title|button|li|dt|a)\b[^>]*>[^<$]*\p{L}{2,}\s+\p{L}/u.test(text);

/** Whether the node is an argument of an AppError, whose message need not look like a sentence. */
const isRefusal = ({ parent }: ts.Node) =>
  ts.isNewExpression(parent) && parent.expression.getText() === 'AppError' && parent.arguments?.[0] !== undefined;

/** The locations of nodes where `isFound` returns true, as `path:line`. */
function locations(isFound: (node: ts.Node) => boolean): string[] {
  return sources.flatMap(({ path, tree }) => {
    const found: string[] = [];
    const visit = (node: ts.Node) => {
      if (isFound(node)) found.push(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
      ts.forEachChild(node, visit);
    };
    visit(tree);
    return found;
  });
}

test('sentences for users are only in the catalogues', () => {
  const isInline = (node: ts.Node) => {
    const text = textOf(node);
    if (text === undefined) return false;
    const isMessage =
      isRefusal(node) && /\p{L}{2}/u.test(text) && node !== (node.parent as ts.NewExpression).arguments?.[0];
    return isMessage || (isSentence(text) && isForPeople(node));
  };
  expect(locations(isInline)).toEqual([]);
});

test('no text is read while a module loads', () => {
  const isEarly = (node: ts.Node) => {
    if (!ts.isPropertyAccessExpression(node) || !['texts', 'sentences'].includes(node.expression.getText()))
      return false;
    if (node.name.text === 'en') return false;
    for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent)
      if (ts.isFunctionLike(at) || ts.isTypeNode(at)) return false;
    return true;
  };
  expect(locations(isEarly)).toEqual([]);
});

/** Every text of a catalogue with its path. */
function textsOf(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`));
}

const inLanguage = (language: Language, texts: object) =>
  runInContext({ requestId: 'r', language }, () => new Map(textsOf(texts, '')));

const PLACEHOLDER = /:\w+/g;
const placeholders = (text: string) => [...new Set(text.match(PLACEHOLDER))].sort();

test('code fills exactly the placeholders of a text', () => {
  const names = new Map<string, string>();
  for (const path of globSync('{shared,gateway,services/*}/texts/en.json', { cwd: root }))
    for (const [key, text] of textsOf(JSON.parse(readFileSync(join(root, path), 'utf8')), ''))
      names.set(
        `${path.slice(0, -'/texts/en.json'.length)} ${key.split('.').at(-1)}`,
        placeholders(text)
          .filter((name) => name !== ':attribute')
          .join(),
      );
  let filled = 0;
  const isWrong = (node: ts.Node) => {
    if (!ts.isCallExpression(node) || node.expression.getText() !== 'fill') return false;
    const [text, values] = node.arguments;
    if (!text || !ts.isPropertyAccessExpression(text) || !values || !ts.isObjectLiteralExpression(values)) return false;
    const folder = /^(shared|gateway|services\/\w+)/.exec(node.getSourceFile().fileName)?.[0] ?? '';
    filled += 1;
    const filledNames = values.properties.map((property) => `:${property.name?.getText()}`);
    return names.get(`${folder} ${text.name.text}`) !== filledNames.sort().join();
  };
  expect(locations(isWrong)).toEqual([]);
  expect(filled).toBeGreaterThan(10);
});

/** Texts that may be the same in both languages. */
const SAME = ['.checkout.note', '.checkout.ended.initiated', '.checkout.ended.pending'];
const ENGLISH = /\b(the|is|are|has|have|been|not|must|field|please|your|you|with|and|this|cannot|could|for|code is)\b/i;

describe.each<[string, Map<string, string>, Map<string, string>]>([
  ...Object.entries({
    shared: sharedTexts,
    identity: identityTexts,
    wallet: walletTexts,
    messaging: messagingTexts,
    calls: callsTexts,
  }).map(([name, texts]): [string, Map<string, string>, Map<string, string>] => [
    name,
    inLanguage('en', texts),
    inLanguage('fr', texts),
  ]),
  ['gateway', inLanguage('en', gatewayTexts.en), inLanguage('en', gatewayTexts.fr)],
])('the French of %s', (_name, english, french) => {
  test('has exactly the texts of the English catalogue', () => {
    expect([...french.keys()].sort()).toEqual([...english.keys()].sort());
  });

  test('has the same placeholders', () => {
    const differing = [...french].filter(
      ([path, text]) => placeholders(text).join() !== placeholders(english.get(path)!).join(),
    );
    expect(differing).toEqual([]);
  });

  test('is French', () => {
    const isSame = (path: string, text: string) =>
      !SAME.some((start) => path.startsWith(start)) && /\s/.test(text) && english.get(path) === text;
    const left = [...french].filter(
      ([path, text]) => isSame(path, text) || ENGLISH.test(text.replaceAll(PLACEHOLDER, '')),
    );
    expect(left).toEqual([]);
  });

  test('has the non-breaking spaces and the apostrophe of French', () => {
    const wrong = (text: string) =>
      /[^\u00a0\u202f][;!?»](?!\w)/.test(text.replaceAll(/&\w+;/g, '')) ||
      /[^\u00a0\u202f]:(\s|$)/.test(text) ||
      /«[^\u00a0\u202f]/.test(text) ||
      /\p{L}'\p{L}/u.test(text);
    expect([...french].filter(([, text]) => wrong(text))).toEqual([]);
  });
});
