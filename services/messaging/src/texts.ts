import { localized, type Catalogue } from '@tutoring/shared/kit/language/localized';
import en from '../texts/en.json' with { type: 'json' };
import fr from '../texts/fr.json' with { type: 'json' };

export type Texts = typeof en;

export const catalogue: Catalogue<Texts> = { en, fr };

/** Every text of this service that users read. */
export const texts = localized(catalogue);
