/* What a form sends, and where its errors are shown. */

/** Texts by the names of fields. */
export type Fields = Record<string, string>;

/** What is sent instead of the text; or what is wrong with it. */
export type Reading = { value: string } | { error: string };
export type Read = (text: string) => Reading;

/** The fields that a form shows, by name, each with its reader unless its text is sent as it is. */
export type ShownFields = ReadonlyMap<string, Read | undefined>;

/** The fields as they are sent, and what their readers refuse. */
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

/** Errors of the server: those of fields that are shown, and the sentences of the others. */
export function placed(errors: Fields, shown: ShownFields): { errors: Fields; rest: string | undefined } {
  const entries = Object.entries(errors);
  const rest = entries.filter(([name]) => !shown.has(name)).map(([, sentence]) => sentence);
  return {
    errors: Object.fromEntries(entries.filter(([name]) => shown.has(name))),
    rest: rest.length === 0 ? undefined : rest.join(' '),
  };
}

/** An `Idempotency-Key`, and the content that it was sent with. */
export interface Intention {
  key: string;
  content: string;
  /** What is sent beside the fields, by identity. */
  also: unknown;
}

/** The intention of sending this content: `before` when that was the same content, else a new one. */
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

/** The server's sentences about a field, up to the field's name and after it. */
const FORMS = [
  { form: /^(The )(.+?)( field (?:is|must|contains|format) )/, quoted: (label: string) => `“${label}”` },
  { form: /^(The selected )(.+?)( is invalid)/, quoted: (label: string) => `“${label}”` },
  { form: /^(The )(.+?)( has already been taken)/, quoted: (label: string) => `“${label}”` },
  {
    form: /^((?:Le|La valeur du|Le format du) champ )(.+?)( (?:est|doit|ne|contient|sélectionné) )/,
    quoted: (label: string) => `«\u00a0${label}\u00a0»`,
  },
];

/** The server's sentence about a field, which it calls by its own name, with the label that the reader sees. */
export function relabelled(sentence: string, label: string): string {
  const found = FORMS.find(({ form }) => form.test(sentence));
  if (!found) return sentence;
  return sentence.replace(found.form, (whole, before: string, name: string, after: string) =>
    name.toLowerCase() === label.toLowerCase() ? whole : `${before}${found.quoted(label)}${after}`,
  );
}
