import type { Report } from '../batches/batch-move.ts';

/*
 * The words by which banks and operators report a payout, in English and French; docs/operations.md lists them. A word
 * that is not here is `uncertain`: it may mean anything.
 */
const WORDS: Record<Report, string[]> = {
  paid: [
    ...['paid', 'success', 'successful', 'succeeded', 'completed', 'executed', 'settled', 'acsc', 'accc'],
    ...[
      'paye',
      'payee',
      'reussi',
      'reussie',
      'succes',
      'effectue',
      'effectuee',
      'execute',
      'executee',
      'regle',
      'reglee',
    ],
  ],
  failed: [
    ...['failed', 'failure', 'rejected', 'refused', 'declined', 'canceled', 'cancelled', 'rjct'],
    ...['echoue', 'echouee', 'echec', 'rejete', 'rejetee', 'refuse', 'refusee', 'annule', 'annulee'],
  ],
  uncertain: [
    ...['uncertain', 'pending', 'processing', 'in progress', 'unknown', 'acsp', 'pdng'],
    ...['incertain', 'incertaine', 'en attente', 'en cours', 'inconnu', 'inconnue'],
  ],
};

const MEANINGS = new Map(
  Object.entries(WORDS).flatMap(([report, words]) => words.map((word) => [word, report as Report] as const)),
);

/** Without case, accents and punctuation. */
export const foldWord = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();

export const reportOf = (word: string): Report => MEANINGS.get(foldWord(word)) ?? 'uncertain';
