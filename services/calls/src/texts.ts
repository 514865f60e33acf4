import { localized } from '@tutoring/shared/language/localized';
import en from '../texts/en.json' with { type: 'json' };
import fr from '../texts/fr.json' with { type: 'json' };

/** Every text of this service that people read. */
export const texts = localized({ en, fr });
