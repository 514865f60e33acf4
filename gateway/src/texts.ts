import type { Catalogue } from '@tutoring/shared/language/localized';
import en from '../texts/en.json' with { type: 'json' };
import fr from '../texts/fr.json' with { type: 'json' };

/** Every text of the gateway for people, in the exchange's language. */
export const texts: Catalogue<typeof en> = { en, fr };
