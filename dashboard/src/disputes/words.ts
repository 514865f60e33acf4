import { catalogue } from '../i18n/texts/catalogue.ts';
import { createWordsHook } from '../i18n/words.ts';

/** The reasons of payment providers, and the events of a timeline. */
const useWords = createWordsHook(
  catalogue(
    {
      reasons: {
        bank_cannot_process: 'bank cannot process it',
        check_returned: 'check returned',
        credit_not_processed: 'promised refund not received',
        customer_initiated: 'started by the customer',
        debit_not_authorized: 'debit not authorized',
        duplicate: 'charged twice',
        fraudulent: 'not recognized as own payment (fraud)',
        general: 'no particular reason',
        incorrect_account_details: 'wrong account details',
        insufficient_funds: 'insufficient funds',
        noncompliant: 'against the card network’s rules',
        product_not_received: 'service not received',
        product_unacceptable: 'service not as described',
        refund: 'refunded at the provider',
        subscription_canceled: 'subscription canceled',
        unrecognized: 'payment not recognized',
      },
      events: {
        inquiry: 'Inquiry',
        needs_response: 'Response needed',
        under_review: 'Under review',
        won: 'Won',
        lost: 'Lost',
        taken: 'Money taken by the provider',
        returned: 'Money returned',
        recovered: 'Debt paid by a later deposit',
        written_off: 'Debt written off',
      },
    },
    {
      reasons: {
        bank_cannot_process: 'traitement impossible par la banque',
        check_returned: 'chèque retourné',
        credit_not_processed: 'remboursement promis non reçu',
        customer_initiated: 'ouvert par le client',
        debit_not_authorized: 'débit non autorisé',
        duplicate: 'débité deux fois',
        fraudulent: 'paiement non reconnu (fraude)',
        general: 'sans motif particulier',
        incorrect_account_details: 'coordonnées bancaires erronées',
        insufficient_funds: 'fonds insuffisants',
        noncompliant: 'contraire aux règles du réseau de cartes',
        product_not_received: 'service non reçu',
        product_unacceptable: 'service non conforme',
        refund: 'remboursé chez le prestataire',
        subscription_canceled: 'abonnement résilié',
        unrecognized: 'paiement non reconnu',
      },
      events: {
        inquiry: 'Demande d’information',
        needs_response: 'Réponse attendue',
        under_review: 'En examen',
        won: 'Gagné',
        lost: 'Perdu',
        taken: 'Argent repris par le prestataire',
        returned: 'Argent rendu',
        recovered: 'Dette payée par un dépôt ultérieur',
        written_off: 'Dette passée en perte',
      },
    },
  ),
);

/** The label of a reason or an event; an unknown one, from a provider or a later server version, has its name. */
export function useDisputeWords() {
  const wordFor = useWords();
  return {
    reason: (name: string) => wordFor('reasons', name) ?? name,
    event: (name: string) => wordFor('events', name) ?? name,
  };
}
