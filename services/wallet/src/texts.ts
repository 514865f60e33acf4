import { localized } from '@tutoring/shared/language/localized';
import en from '../texts/en.json' with { type: 'json' };
import fr from '../texts/fr.json' with { type: 'json' };

/** Every sentence of this service that a person may read. */
export const texts = localized({ en, fr });

/** Sentences that are stored for every reader: in a deposit's details, and at the provider. */
export const records = {
  paidAfterClosing: 'Paid after the account was deleted: the money is in clearing:unclaimed.',
  unpaid: 'Not paid within 24 hours.',
  providerRefused: 'The payment provider did not take it.',
  depositTitle: 'Balance top-up',
};
