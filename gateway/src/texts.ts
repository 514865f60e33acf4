import type { Catalogue } from '@tutoring/shared/kit/language/localized';
import en from '../texts/en.json' with { type: 'json' };
import fr from '../texts/fr.json' with { type: 'json' };

/** The gateway's texts that clients receive, by language. */
export const texts: Catalogue<typeof en> = { en, fr };
