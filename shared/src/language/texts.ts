import en from '../../texts/en.json' with { type: 'json' };
import fr from '../../texts/fr.json' with { type: 'json' };
import fieldsInFrench from '../../texts/fields.fr.json' with { type: 'json' };
import type { Language } from '../process/language.ts';
import { localized } from './localized.ts';

/** Texts that every service uses; those of `validation` are in the words of Laravel 10. */
export const texts = localized({ en, fr });

/** Names of request fields, by their English words; a field that is not here keeps its own name. */
export const FIELDS: Record<Language, Record<string, string>> = { en: {}, fr: fieldsInFrench };
