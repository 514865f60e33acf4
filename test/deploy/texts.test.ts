import { describe, expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { runInContext } from '@tutoring/shared/process/context';
import type { Language } from '@tutoring/shared/process/language';
import { texts as sharedTexts } from '@tutoring/shared/language/texts';
import { texts as gatewayTexts } from '../../gateway/src/texts.ts';
import { texts as callsTexts } from '../../services/calls/src/texts.ts';
import { texts as identityTexts } from '../../services/identity/src/texts.ts';
import { texts as messagingTexts } from '../../services/messaging/src/texts.ts';
import { texts as walletTexts } from '../../services/wallet/src/texts.ts';

/*
 * All texts for people are in the catalogues, complete in each language. Code must read a text when it uses it: a text
 * that a module reads while it loads would stay English for everybody.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));
const CATALOGUES = /\/texts\.ts$/;
/** English only: the reference, and output for operators at a terminal. */
const OTHERS = /^gateway\/src\/reference\/|^shared\/src\/testing\/|\/main\.ts$/;

const sources = globSync('{shared,gateway,services/*}/src/**/*.ts', { cwd: root })
  .filter((path) => !CATALOGUES.test(path) && !OTHERS.test(path))
  .sort()
  .map((path) => ({
    path,
    tree: ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true),
  }));

const DOCUMENTATION = ['summary', 'description', 'example', 'examples'];
/** Texts for developers and operators: the reference, the log, unexpected errors. */
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

/** Looks like a sentence, or like text on a page. */
const isSentence = (text: string) =>
  /^\p{Lu}[^\n]*\s[^\n]*[.!?…]$/u.test(text) ||
  /<(p|h\d|title|button|li|dt|a)\b[^>]*>[^<$]*\p{L}{2,}\s+\p{L}/u.test(text);

/** The message of an AppError, which need not look like a sentence. */
const isRefusal = ({ parent }: ts.Node) =>
  ts.isNewExpression(parent) && parent.expression.getText() === 'AppError' && parent.arguments?.[0] !== undefined;

/** The places where `isFound` is true, as `path:line`. */
function places(isFound: (node: ts.Node) => boolean): string[] {
  return sources.flatMap(({ path, tree }) => {
    const found: string[] = [];
    const look = (node: ts.Node) => {
      if (isFound(node)) found.push(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
      ts.forEachChild(node, look);
    };
    look(tree);
    return found;
  });
}

test('no sentence for people is outside the catalogues', () => {
  const isInline = (node: ts.Node) => {
    const text = textOf(node);
    if (text === undefined) return false;
    const isMessage =
      isRefusal(node) && /\p{L}{2}/u.test(text) && node !== (node.parent as ts.NewExpression).arguments?.[0];
    return isMessage || (isSentence(text) && isForPeople(node));
  };
  expect(places(isInline)).toEqual([]);
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
  expect(places(isEarly)).toEqual([]);
});

/** Every text of a catalogue with its place. */
function said(value: unknown, place: string): [string, string][] {
  if (typeof value === 'string') return [[place, value]];
  return Object.entries(value as object).flatMap(([name, inner]) => said(inner, `${place}.${name}`));
}

const inLanguage = (language: Language, texts: object) =>
  runInContext({ requestId: 'r', language }, () => new Map(said(texts, '')));

const PLACEHOLDER = /:\w+/g;
const placeholders = (text: string) => [...new Set(text.match(PLACEHOLDER))].sort();

test('code fills every placeholder of a text, and no other', () => {
  const names = new Map<string, string>();
  for (const path of globSync('{shared,gateway,services/*}/texts/en.json', { cwd: root }))
    for (const [place, text] of said(JSON.parse(readFileSync(join(root, path), 'utf8')), ''))
      names.set(
        `${path.slice(0, -'/texts/en.json'.length)} ${place.split('.').at(-1)}`,
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
    const given = values.properties.map((property) => `:${property.name?.getText()}`);
    return names.get(`${folder} ${text.name.text}`) !== given.sort().join();
  };
  expect(places(isWrong)).toEqual([]);
  expect(filled).toBeGreaterThan(10);
});

/** The same in both languages. */
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
      ([place, text]) => placeholders(text).join() !== placeholders(english.get(place)!).join(),
    );
    expect(differing).toEqual([]);
  });

  test('is French', () => {
    const isSame = (place: string, text: string) =>
      !SAME.some((start) => place.startsWith(start)) && /\s/.test(text) && english.get(place) === text;
    const left = [...french].filter(
      ([place, text]) => isSame(place, text) || ENGLISH.test(text.replaceAll(PLACEHOLDER, '')),
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
