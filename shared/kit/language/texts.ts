import en from '../../texts/en.json' with { type: 'json' };
import fr from '../../texts/fr.json' with { type: 'json' };
import fieldsInFrench from '../../texts/fields.fr.json' with { type: 'json' };
import type { Language } from '../process/language.ts';
import { localized } from './localized.ts';

/** Texts for every service; `validation` has the messages of Laravel 10. */
export const texts = localized({ en, fr });

/** Translated names of request fields, by their English words. A field without an entry keeps its name. */
export const FIELDS: Record<Language, Record<string, string>> = { en: {}, fr: fieldsInFrench };
