import { createTextHook } from '../i18n/i18n.ts';
import { catalogue } from '../i18n/texts/catalogue.ts';

/** The texts of the comparison of a report. */
export const useReconciliationText = createTextHook(
  catalogue(
    {
      button: 'Compare a report',
      title: 'Compare a report with our records',
      form: 'Report of the bank or provider',
      meaning:
        'A CSV file with the columns reference and status. Every difference becomes a break; no money moves. The same file again shows the first comparison.',
      providerHint:
        'The name of a payment provider, such as stripe, compares its deposits; any other name, such as that of a bank, compares payouts.',
      submit: 'Compare',
      outcome: 'Comparison',
      rows: 'Lines',
      matched: 'Matches',
      breaks: 'Breaks',
      at: 'Compared',
      open: 'Open breaks',
    },
    {
      button: 'Comparer un relevé',
      title: 'Comparer un relevé à nos données',
      form: 'Relevé de la banque ou du prestataire',
      meaning:
        'Un fichier CSV avec les colonnes «\u00a0reference\u00a0» et «\u00a0status\u00a0». Chaque différence devient un écart\u00a0; aucun argent ne bouge. Le même fichier montre à nouveau la première comparaison.',
      providerHint:
        'Le nom d’un prestataire de paiement, comme stripe, compare ses dépôts\u00a0; tout autre nom, comme celui d’une banque, compare les versements.',
      submit: 'Comparer',
      outcome: 'Comparaison',
      rows: 'Lignes',
      matched: 'Concordances',
      breaks: 'Écarts',
      at: 'Comparé le',
      open: 'Écarts ouverts',
    },
  ),
);
