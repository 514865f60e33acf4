import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { readJson } from '../kit/http/read/json-reader.ts';
import { objectShape } from '../kit/http/read/validation.ts';

const shape = objectShape(z.object({ a: z.string(), b: z.array(z.string()).max(2), c: z.object({ a: z.string() }) }));
const read = (text: string) => readJson(Buffer.from(text), shape);

const accepts = (reader: (text: string) => unknown) => (text: string) => {
  try {
    reader(text);
    return true;
  } catch {
    return false;
  }
};

test('the reader accepts exactly the texts that JSON.parse accepts', () => {
  const [isReadable, isJson] = [accepts(read), accepts(JSON.parse)];
  const stray = fc.constantFrom(...'{}[],:"\\0e.-+ tu\n\u0001');
  const property = fc.property(
    fc.json({ maxDepth: 4 }),
    fc.nat(40),
    stray,
    fc.boolean(),
    (json, at, sign, replaces) => {
      const whole = `{"a":${json} , "z":[]}`;
      const broken = whole.slice(0, at) + sign + whole.slice(at + (replaces ? 1 : 0));
      for (const text of [whole, broken].filter((candidate) => candidate.trimStart().startsWith('{')))
        expect([text, isReadable(text)]).toEqual([text, isJson(text)]);
    },
  );
  fc.assert(property, { numRuns: 2_000 });
});

test('only fields of the schema are read: the last of a repeated name, and at most one list item too many', () => {
  expect(
    read('{"a":"x","\\u0061":"\u00e9","b":["1",[2],"3","4"],"c":{"a":1,"q":2},"__proto__":{"a":1},"z":{}}'),
  ).toEqual({
    a: '\u00e9',
    b: ['1', [], '3'],
    c: { a: 1 },
  });
  expect(read('{"a":{"toString":1},"b":{}}')).toEqual({ a: {}, b: {} });
});

test('a list in a request schema needs a maximum length', () => {
  expect(() => objectShape(z.object({ a: z.array(z.string()) }))).toThrow('maximum length');
});
