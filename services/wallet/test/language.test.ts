import { describe, expect, test } from '@jest/globals';
import { runInContext } from '@tutoring/shared/kit/process/context';
import { readableAmount } from '@tutoring/shared/kit/language/money';
import { checkoutPage, returnedPage, unknownPage } from '../src/checkout/checkout-page.ts';
import type { DepositRow } from '../src/deposits/deposit.ts';
import { cannotCancel } from '../src/errors.ts';

const inFrench = <T>(work: () => T): T => runInContext({ requestId: 'r', language: 'fr' }, work);
const deposit = { id: 7, amount: 10_000, currency: 'XOF', status: 'pending', ref: null } as DepositRow;

describe('the pages of the sandbox provider, in French', () => {
  test('show a form for an open deposit', () => {
    const page = inFrench(() => checkoutPage(deposit));
    expect(page).toContain('<html lang="fr">');
    expect(page).toContain('<title>Recharger votre solde - 10\u202f000\u00a0XOF</title>');
    for (const word of ['>Payer<', '>Annuler<', '>en attente<', '>Référence<']) expect(page).toContain(word);
    expect(checkoutPage(deposit)).toContain('<html lang="en">');
  });

  test('show the result of a paid deposit, the page after the payment, and an invalid link', () => {
    expect(inFrench(() => checkoutPage({ ...deposit, status: 'success' }))).toContain('Votre solde a été rechargé');
    expect(inFrench(returnedPage)).toContain('<h1>Merci</h1>');
    expect(inFrench(unknownPage)).toContain('Ce lien de paiement n’est pas valable.');
  });
});

test.each([
  [1_234_567, 'XOF', '1\u202f234\u202f567\u00a0XOF'],
  [1_234_567, 'EUR', '12\u202f345,67\u00a0EUR'],
])('an amount of %i %s is formatted for readers of French', (amount, currency, text) => {
  expect(inFrench(() => readableAmount(amount, currency))).toBe(text);
});

test.each([
  ['success', 'Un retrait effectué ne peut plus être annulé.'],
  ['pending', 'Un retrait en attente ne peut plus être annulé.'],
] as const)('the refusal to cancel a withdrawal in %s is correct French', (status, message) => {
  expect(inFrench(() => cannotCancel(status)).message).toBe(message);
});
