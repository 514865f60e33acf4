import { localized } from '@tutoring/shared/kit/language/localized';
import en from '../texts/en.json' with { type: 'json' };
import fr from '../texts/fr.json' with { type: 'json' };

/** The texts of this service's answers. */
export const texts = localized({ en, fr });
