/* Reading the fields of a form, assigning errors to them, and idempotency keys. */

/** Texts by field name. */
export type Fields = Record<string, string>;

/** The value to send for a text, or an error message. */
export type Reading = { value: string } | { error: string };
export type Read = (text: string) => Reading;

/** The fields that a form shows, by name, with their readers. Without a reader the text is sent unchanged. */
export type ShownFields = ReadonlyMap<string, Read | undefined>;

/** The values to send, and the errors of the readers. */
export function readFields(texts: Fields, shown: ShownFields): { fields: Fields; errors: Fields } {
  const fields: Fields = {};
  const errors: Fields = {};
  for (const [name, text] of Object.entries(texts)) {
    const reading = shown.get(name)?.(text) ?? { value: text };
    if ('value' in reading) fields[name] = reading.value;
    else errors[name] = reading.error;
  }
  return { fields, errors };
}

/** Splits the server's errors into those of shown fields and the joined messages of all others. */
export function splitErrors(errors: Fields, shown: ShownFields): { errors: Fields; rest: string | undefined } {
  const entries = Object.entries(errors);
  const rest = entries.filter(([name]) => !shown.has(name)).map(([, sentence]) => sentence);
  return {
    errors: Object.fromEntries(entries.filter(([name]) => shown.has(name))),
    rest: rest.length === 0 ? undefined : rest.join(' '),
  };
}

/** An intention to send something once: an `Idempotency-Key` with the content that it belongs to. */
export interface Intention {
  key: string;
  content: string;
  /** Content besides the fields, such as a file. Compared by identity. */
  also: unknown;
}

/** Returns `before` if it has the same content, or else a new intention with a new key. */
export function intentionOf(
  before: Intention | undefined,
  fields: Fields,
  also: unknown,
  newKey: () => string,
): Intention {
  const content = JSON.stringify(fields);
  const isSame = before !== undefined && before.content === content && before.also === also;
  return isSame ? before : { key: newKey(), content, also };
}

/** Patterns of the server's messages about a field: the text before the field's name, the name, the text after it. */
const PATTERNS = [
  { form: /^(The )(.+?)( field (?:is|must|contains|format) )/, quoted: (label: string) => `“${label}”` },
  { form: /^(The selected )(.+?)( is invalid)/, quoted: (label: string) => `“${label}”` },
  { form: /^(The )(.+?)( has already been taken)/, quoted: (label: string) => `“${label}”` },
  {
    form: /^((?:Le|La valeur du|Le format du) champ )(.+?)( (?:est|doit|ne|contient|sélectionné) )/,
    quoted: (label: string) => `«\u00a0${label}\u00a0»`,
  },
];

/** Replaces the server's name of a field in its message by the label that the reader sees. */
export function withLabel(sentence: string, label: string): string {
  const found = PATTERNS.find(({ form }) => form.test(sentence));
  if (!found) return sentence;
  return sentence.replace(found.form, (whole, before: string, name: string, after: string) =>
    name.toLowerCase() === label.toLowerCase() ? whole : `${before}${found.quoted(label)}${after}`,
  );
}
