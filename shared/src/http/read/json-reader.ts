import { isUtf8 } from 'node:buffer';
import { AppError } from '../../errors.ts';
import { texts } from '../../language/texts.ts';
import { itemsRead, type ObjectShape, type Shape } from './validation.ts';

/** Tokens of RFC 8259, each with the space behind it. */
const SPACE = String.raw`[ \t\n\r]*`;
const STRING = String.raw`"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const token = (pattern: string) => new RegExp(`(?:${pattern})${SPACE}`, 'y');
const BLANK = token('');
const SCALAR = token(`${STRING}|${NUMBER}|true|false|null`);
const NAME = token(`${STRING}${SPACE}:`);
/** Drops a byte order mark. */
const UTF8 = new TextDecoder();
/** What ends a list or an object, by its beginning. */
const ENDS: Record<string, string> = { '[': ']', '{': '}' };

const notJson = () => new AppError('malformed', texts.body.notJson);

/** A text of JSON that is read from its beginning on. Throws malformed when something else comes next than it has to. */
class Source {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
    this.take(BLANK);
  }

  /** The next character; empty at the end. */
  get next(): string {
    return this.text.charAt(this.at);
  }

  take(token: RegExp): string {
    const from = this.at;
    token.lastIndex = from;
    if (!token.test(this.text)) throw notJson();
    this.at = token.lastIndex;
    return this.text.slice(from, this.at);
  }

  /** Takes this sign, and the space behind it, when it comes next. */
  takesSign(sign: string): boolean {
    if (this.next !== sign) return false;
    this.at += 1;
    if (this.next <= ' ') this.take(BLANK);
    return true;
  }

  takeSign(sign: string): void {
    if (!this.takesSign(sign)) throw notJson();
  }
}

/** Takes any value without building it; however deep, without recursion. */
function skip(source: Source): void {
  const ends: string[] = [];
  for (;;) {
    if (ends.at(-1) === '}') source.take(NAME);
    const end = ENDS[source.next];
    if (end === undefined) source.take(SCALAR);
    else {
      source.takeSign(source.next);
      ends.push(end);
      if (source.next !== end) continue;
    }
    while (ends.length > 0 && source.takesSign(ends.at(-1)!)) ends.pop();
    if (ends.length === 0) return;
    source.takeSign(',');
  }
}

/** Takes a list or an object; `takeItem` takes each of its items. */
function takeEach(source: Source, takeItem: () => void): void {
  const start = source.next;
  const end = ENDS[start] ?? '';
  source.takeSign(start);
  if (source.takesSign(end)) return;
  do takeItem();
  while (source.takesSign(','));
  source.takeSign(end);
}

function nameOf(taken: string): string {
  const quoted = taken.slice(0, taken.lastIndexOf('"') + 1);
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

/** The last one of a repeated name counts. */
function readObject(source: Source, { members }: ObjectShape): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  takeEach(source, () => {
    const name = nameOf(source.take(NAME));
    const shape = members.get(name);
    if (shape) fields[name] = read(source, shape);
    else skip(source);
  });
  return fields;
}

function readList(source: Source, shape: { item: Shape; max: number }): unknown[] {
  const items: unknown[] = [];
  takeEach(source, () => {
    if (items.length < itemsRead(shape)) items.push(read(source, shape.item));
    else skip(source);
  });
  return items;
}

/** A list or an object in the place of another type is returned empty: enough for validation to refuse it. */
function read(source: Source, shape: Shape): unknown {
  const { next } = source;
  if (ENDS[next] === undefined) return JSON.parse(source.take(SCALAR));
  if (next === '{' && shape.kind === 'object') return readObject(source, shape);
  if (next === '[' && shape.kind === 'list') return readList(source, shape);
  skip(source);
  return next === '[' ? [] : {};
}

/** For texts of our own processes; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const EMPTY = /^\s*(?:(?:null|\[\s*\])\s*)?$/;

/** Whether a body says nothing: it is the same as `{}`. */
export const isEmptyBody = (text: string): boolean => EMPTY.test(text);

/**
 * The fields of a JSON object that `shape` knows; none of an empty body. All of the text is checked, but only these become values, so that the
 * time depends on the length of the text and not on its content. Throws malformed.
 */
export function readJson(body: Buffer, shape: ObjectShape): Record<string, unknown> {
  if (!isUtf8(body)) throw notJson();
  const text = UTF8.decode(body);
  const source = new Source(text);
  const { next: start } = source;
  if (start !== '{' && isEmptyBody(text)) return {};
  if (start !== '{') throw new AppError('malformed', texts.body.notAnObject);
  const fields = readObject(source, shape);
  if (source.next !== '') throw notJson();
  return fields;
}
