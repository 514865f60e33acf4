/* JSON bodies of nearly 1 MiB that are the most expensive to parse, by their content. */
const SIZE = 1024 * 1024 - 64;

const fill = (part: (index: number) => string, separator = ','): string => {
  const parts: string[] = [];
  for (let size = 0, index = 0; ; index += 1) {
    const next = part(index);
    size += next.length + separator.length;
    if (size > SIZE) return parts.join(separator);
    parts.push(next);
  }
};
const half = Math.floor(SIZE / 2);
const within = (items: string) => `{"unknown":[${items}]}`;

/** `field` is a text field of the route, `list` a list field. */
export const worstBodies = (field: string, list: string): Record<string, string> => ({
  'nested lists': `{"unknown":${'['.repeat(half - 16)}${']'.repeat(half - 16)}}`,
  'nested lists in a known field': `{"${field}":${'['.repeat(half - 16)}${']'.repeat(half - 16)}}`,
  'nested objects': `${'{"a":'.repeat(SIZE / 6)}1${'}'.repeat(SIZE / 6)}`,
  '10,000 deep': `{"unknown":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  strings: within(fill(() => '"abc"')),
  'strings deep down': `{"unknown":${'['.repeat(1_500)}${fill(() => '"a"').slice(3_008)}${']'.repeat(1_500)}}`,
  'strings to trim': within(fill(() => '" a "')),
  'empty strings': within(fill(() => '""')),
  'empty objects': within(fill(() => '{}')),
  'empty lists': within(fill(() => '[]')),
  'objects of many shapes': within(fill((index) => `{"k${index}":1}`)),
  numbers: within(fill(() => '1')),
  'long fractions': within(fill((index) => `1.2345678901234567e${index % 300}`)),
  words: within(fill(() => 'true')),
  'different names': `{${fill((index) => `"k${index}":1`)}}`,
  'short names': `{${fill((index) => `"${index.toString(36)}":1`)}}`,
  'names that are indices': `{${fill((index) => `"${index * 37}":1`)}}`,
  'the same name': `{${fill(() => `"${field}":"a"`)}}`,
  'escaped names': `{${fill(() => `"\\u00${field.charCodeAt(0).toString(16)}":1`)}}`,
  'a name within a known field': `{"${field}":{${fill((index) => `"k${index}":1`)}}}`,
  'a long list': `{"${list}":[${fill(() => '1')}]}`,
  'many short lists': `{${fill(() => `"${list}":[1,2,3,4,5,6,7,8,9]`)}}`,
  'one long text': `{"${field}":"${'a'.repeat(SIZE - 64)}"}`,
  'words of one address': `{"email":"${'a.'.repeat(half - 32)}"}`,
  'one text of escapes': `{"${field}":"${'\\u00e9'.repeat(SIZE / 6 - 64)}"}`,
  'one long number': `{"${field}":${'1'.repeat(SIZE - 64)}}`,
  'control characters': `{"unknown":"${'\\u0000'.repeat(SIZE / 6 - 64)}"}`,
});
