import { isUtf8 } from 'node:buffer';
import { AppError } from '../../errors.ts';
import { texts } from '../../language/texts.ts';
import { maxItemsRead, type ObjectShape, type Shape } from './validation.ts';

/** Tokens of RFC 8259, each with trailing white space. */
const SPACE = String.raw`[ \t\n\r]*`;
const STRING = String.raw`"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const token = (pattern: string) => new RegExp(`(?:${pattern})${SPACE}`, 'y');
const BLANK = token('');
const SCALAR = token(`${STRING}|${NUMBER}|true|false|null`);
const NAME = token(`${STRING}${SPACE}:`);
/** Removes a byte order mark. */
const UTF8 = new TextDecoder();
/** The closing bracket of a list or an object, by its opening one. */
const ENDS: Record<string, string> = { '[': ']', '{': '}' };

const notJson = () => new AppError('malformed', texts.body.notJson);

/** A cursor in a JSON text. Throws malformed when the next token is not the expected one. */
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

  /** Takes this sign and the white space after it, if it comes next. Returns whether it did. */
  takeIf(sign: string): boolean {
    if (this.next !== sign) return false;
    this.at += 1;
    if (this.next <= ' ') this.take(BLANK);
    return true;
  }

  takeSign(sign: string): void {
    if (!this.takeIf(sign)) throw notJson();
  }
}

/** Skips any value, without building it and without recursion. */
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
    while (ends.length > 0 && source.takeIf(ends.at(-1)!)) ends.pop();
    if (ends.length === 0) return;
    source.takeSign(',');
  }
}

/** Reads a list or an object; calls `takeItem` for each item. */
function takeEach(source: Source, takeItem: () => void): void {
  const start = source.next;
  const end = ENDS[start] ?? '';
  source.takeSign(start);
  if (source.takeIf(end)) return;
  do takeItem();
  while (source.takeIf(','));
  source.takeSign(end);
}

function nameOf(taken: string): string {
  const quoted = taken.slice(0, taken.lastIndexOf('"') + 1);
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

/** Reads an object. If a name is repeated, its last value counts. */
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
    if (items.length < maxItemsRead(shape)) items.push(read(source, shape.item));
    else skip(source);
  });
  return items;
}

/** A list or an object where another type is expected is returned empty: that is enough for validation to refuse it. */
function read(source: Source, shape: Shape): unknown {
  const { next } = source;
  if (ENDS[next] === undefined) return JSON.parse(source.take(SCALAR));
  if (next === '{' && shape.kind === 'object') return readObject(source, shape);
  if (next === '[' && shape.kind === 'list') return readList(source, shape);
  skip(source);
  return next === '[' ? [] : {};
}

/** Parses JSON of the system's own processes; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const EMPTY = /^\s*(?:(?:null|\[\s*\])\s*)?$/;

/** Whether a body is empty, `null` or `[]`, which are treated like `{}`. */
export const isEmptyBody = (text: string): boolean => EMPTY.test(text);

/**
 * Reads the fields of a JSON object that `shape` has; an empty body has none. The whole text is checked, but only these
 * fields become values, so that the time depends on the length of the text only. Throws malformed.
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
