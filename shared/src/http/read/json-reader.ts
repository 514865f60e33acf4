import { isUtf8 } from 'node:buffer';
import { AppError } from '../../errors.ts';
import { texts } from '../../language/texts.ts';
import { itemsRead, type ObjectShape, type Shape } from './validation.ts';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [MINUS, PLUS, POINT, ZERO, LETTER_U] = [0x2d, 0x2b, 0x2e, 0x30, 0x75];
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const WORDS = ['true', 'false', 'null'].map((word) => Buffer.from(word));
const SIMPLE_ESCAPES = new Set(Buffer.from('"\\/bfnrt'));

const notJson = () => new AppError('malformed', texts.body.notJson);
const isDigit = (byte = 0) => byte >= ZERO && byte <= 0x39;
const isHex = (byte: number | undefined) =>
  isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);

/** Each of these takes the index where something begins and returns the index where it ends. They throw malformed. */
function space(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const byte = bytes[at] ?? QUOTE;
    if (byte > 0x20) return at;
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at += 1;
  }
}

function string(bytes: Buffer, from: number): number {
  if (bytes[from] !== QUOTE) throw notJson();
  for (let at = from + 1; ;) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at = escape(bytes, at + 1);
    else if (byte === undefined || byte < 0x20) throw notJson();
    else at += 1;
  }
}

function escape(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte !== undefined && SIMPLE_ESCAPES.has(byte)) return at + 1;
  const isUnicode = byte === LETTER_U && [1, 2, 3, 4].every((digit) => isHex(bytes[at + digit]));
  if (!isUnicode) throw notJson();
  return at + 5;
}

function digits(bytes: Buffer, from: number): number {
  let at = from;
  while (isDigit(bytes[at])) at += 1;
  if (at === from) throw notJson();
  return at;
}

function number(bytes: Buffer, from: number): number {
  let at = bytes[from] === MINUS ? from + 1 : from;
  at = bytes[at] === ZERO ? at + 1 : digits(bytes, at);
  if (bytes[at] === POINT) at = digits(bytes, at + 1);
  if (((bytes[at] ?? 0) | 0x20) !== 0x65) return at;
  const sign = bytes[at + 1];
  return digits(bytes, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
}

function scalar(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === QUOTE) return string(bytes, at);
  if (byte === MINUS || isDigit(byte)) return number(bytes, at);
  for (const word of WORDS) if (word[0] === byte) return exactly(word, bytes, at);
  throw notJson();
}

function exactly(word: Buffer, bytes: Buffer, at: number): number {
  for (let index = 1; index < word.length; index += 1) if (bytes[at + index] !== word[index]) throw notJson();
  return at + word.length;
}

/** From a member's name to its value. */
function toValue(bytes: Buffer, from: number): number {
  const at = space(bytes, string(bytes, space(bytes, from)));
  if (bytes[at] !== COLON) throw notJson();
  return at + 1;
}

let closing = Buffer.alloc(0);

/** Skips any value without building it; however deep, without recursion. */
function anything(bytes: Buffer, from: number): number {
  // As deep as there are bytes at most. Shared, because nothing awaits in between.
  if (closing.length < bytes.length) closing = Buffer.alloc(bytes.length);
  let depth = 0;
  for (let at = from; ;) {
    at = space(bytes, at);
    const byte = bytes[at];
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      const close = byte === OPEN_LIST ? CLOSE_LIST : CLOSE_OBJECT;
      closing[depth] = close;
      depth += 1;
      at = space(bytes, at + 1);
      if (bytes[at] !== close) {
        if (close === CLOSE_OBJECT) at = toValue(bytes, at);
        continue;
      }
    } else at = scalar(bytes, at);
    while (depth > 0 && bytes[(at = space(bytes, at))] === closing[depth - 1]) {
      depth -= 1;
      at += 1;
    }
    if (depth === 0) return at;
    if (bytes[at] !== COMMA) throw notJson();
    at = closing[depth - 1] === CLOSE_OBJECT ? toValue(bytes, at + 1) : at + 1;
  }
}

const hexDigit = (byte: number) => (byte <= 0x39 ? byte - ZERO : (byte | 0x20) - 0x57);

/** The character at an index of a string; an escaped one takes six bytes. */
function letter(bytes: Buffer, at: number): number {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LETTER_U) return bytes[at] ?? QUOTE;
  let code = 0;
  for (let digit = at + 2; digit < at + 6; digit += 1) code = code * 16 + hexDigit(bytes[digit] ?? ZERO);
  return code;
}

/** Whether the name that begins at `from` is `wanted`: compared in place, since there may be 100,000 names. */
function isNamed(bytes: Buffer, from: number, wanted: Buffer): boolean {
  let at = from + 1;
  for (const byte of wanted) {
    if (bytes[at] === QUOTE || letter(bytes, at) !== byte) return false;
    at += bytes[at] === BACKSLASH ? 6 : 1;
  }
  return bytes[at] === QUOTE;
}

function object(
  bytes: Buffer,
  from: number,
  { members }: ObjectShape,
): { end: number; value: Record<string, unknown> } {
  const known = [...members].map(([name, shape]) => ({ name, shape, bytes: Buffer.from(name), at: -1 }));
  const byFirst = Map.groupBy(known, (member) => member.bytes[0]);
  let end = space(bytes, from + 1);
  while (bytes[end] !== CLOSE_OBJECT) {
    const value = toValue(bytes, end);
    for (const member of byFirst.get(letter(bytes, end + 1)) ?? []) {
      if (isNamed(bytes, end, member.bytes)) member.at = value;
    }
    end = space(bytes, anything(bytes, value));
    if (bytes[end] === CLOSE_OBJECT) break;
    if (bytes[end] !== COMMA) throw notJson();
    end = space(bytes, end + 1);
    if (bytes[end] !== QUOTE) throw notJson();
  }
  // The last one of a repeated name counts, and only that one is read.
  const found = known.filter(({ at }) => at !== -1);
  return {
    end: end + 1,
    value: Object.fromEntries(found.map(({ name, shape, at }) => [name, read(bytes, at, shape)])),
  };
}

/** The list has been skipped once before: it is well formed. */
function list(bytes: Buffer, from: number, shape: { item: Shape; max: number }): unknown[] {
  const items: unknown[] = [];
  let at = space(bytes, from + 1);
  while (bytes[at] !== CLOSE_LIST && items.length < itemsRead(shape)) {
    items.push(read(bytes, at, shape.item));
    at = space(bytes, anything(bytes, at));
    if (bytes[at] === COMMA) at = space(bytes, at + 1);
  }
  return items;
}

/** A list or an object in the place of another type is returned empty: enough for validation to refuse it. */
function read(bytes: Buffer, from: number, shape: Shape): unknown {
  const at = space(bytes, from);
  if (bytes[at] === OPEN_OBJECT) return shape.kind === 'object' ? object(bytes, at, shape).value : {};
  if (bytes[at] === OPEN_LIST) return shape.kind === 'list' ? list(bytes, at, shape) : [];
  return JSON.parse(bytes.toString('utf8', at, scalar(bytes, at)));
}

/**
 * The fields of a JSON object that `shape` knows. All of the text is checked, but only these become values, so that the
 * time depends on the length of the text and not on its content. Throws malformed.
 */
export function readJson(body: Buffer, shape: ObjectShape): Record<string, unknown> {
  if (!isUtf8(body)) throw notJson();
  const from = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const start = space(body, from);
  if (body[start] !== OPEN_OBJECT) throw new AppError('malformed', texts.body.notAnObject);
  const { end, value } = object(body, start, shape);
  if (space(body, end) !== body.length) throw notJson();
  return value;
}
