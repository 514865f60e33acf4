import { describe, expect, test } from '@jest/globals';
import { intentionOf, splitErrors, readFields, withLabel } from '../src/shared/forms/reading.ts';

describe('the fields of a form', () => {
  const number = (text: string) => (/^\d+$/.test(text) ? { value: text } : { error: 'Digits.' });
  test('are sent as their readers return them, and a refused text is an error of its field', () => {
    const shown = new Map([
      ['name', undefined],
      ['points', number],
    ]);
    expect(readFields({ name: ' A ', points: '5', other: '' }, shown)).toEqual({
      fields: { name: ' A ', points: '5', other: '' },
      errors: {},
    });
    expect(readFields({ name: 'A', points: '' }, shown)).toEqual({
      fields: { name: 'A' },
      errors: { points: 'Digits.' },
    });
  });

  test('show the server’s errors about them, and the form shows all others', () => {
    const shown = new Map([['message', undefined]]);
    const errors = { message: 'Too long.', 'Idempotency-Key': 'Used before.', file: 'Unknown.' };
    expect(splitErrors(errors, shown)).toEqual({ errors: { message: 'Too long.' }, rest: 'Used before. Unknown.' });
    expect(splitErrors({ message: 'Too long.' }, shown)).toEqual({ errors: { message: 'Too long.' }, rest: undefined });
  });
});

describe('an idempotency key belongs to the content that is sent', () => {
  let count = 0;
  const next = () => `key ${(count += 1)}`;
  const file = { name: 'a' };
  const first = intentionOf(undefined, { message: 'A' }, undefined, next);
  test.each([
    ['the same content keeps the key', { message: 'A' }, undefined, true],
    ['another text gets a new key', { message: 'B' }, undefined, false],
    ['an additional field gets a new key', { message: 'A', note: '' }, undefined, false],
    ['an added file gets a new key', { message: 'A' }, file, false],
  ])('%s', (_name, fields, also, isSame) => {
    expect(intentionOf(first, fields, also, next).key === first.key).toBe(isSame);
  });
  test('the same file keeps the key, and another file with equal content gets a new one', () => {
    const sent = intentionOf(undefined, {}, file, next);
    expect(intentionOf(sent, {}, file, next).key).toBe(sent.key);
    expect(intentionOf(sent, {}, { ...file }, next).key).not.toBe(sent.key);
  });
});

test.each([
  ['The iterator field must be at least 2.', 'Seconds per step', 'The “Seconds per step” field must be at least 2.'],
  ['The message field is required.', 'Reply', 'The “Reply” field is required.'],
  ['The selected status is invalid.', 'State', 'The selected “State” is invalid.'],
  ['The email has already been taken.', 'E-mail', 'The “E-mail” has already been taken.'],
  ['The phone number field is required.', 'Phone number', 'The phone number field is required.'],
  ['The name field is required.', 'Name', 'The name field is required.'],
  ['The password is too common.', 'New password', 'The password is too common.'],
  [
    'Le champ itérateur doit être au moins égal à 2.',
    'Secondes',
    'Le champ «\u00a0Secondes\u00a0» doit être au moins égal à 2.',
  ],
  ['Le champ nom est obligatoire.', 'Nom', 'Le champ nom est obligatoire.'],
  [
    'La valeur du champ nom est déjà utilisée.',
    'Compétence',
    'La valeur du champ «\u00a0Compétence\u00a0» est déjà utilisée.',
  ],
  ['Le champ statut sélectionné est invalide.', 'État', 'Le champ «\u00a0État\u00a0» sélectionné est invalide.'],
  ['Le format du champ lien est invalide.', 'URL', 'Le format du champ «\u00a0URL\u00a0» est invalide.'],
  [
    'Le champ message ne doit pas dépasser 5000 caractères.',
    'Réponse',
    'Le champ «\u00a0Réponse\u00a0» ne doit pas dépasser 5000 caractères.',
  ],
])('the message “%s” at the field %s calls the field by its label', (sentence, label, shown) => {
  expect(withLabel(sentence, label)).toBe(shown);
});
