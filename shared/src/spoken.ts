import { currentLanguage } from './context.ts';
import { LANGUAGES, type Language } from './language.ts';

/** The same texts in every language: English says which there are. */
export type Catalogue<Texts> = { en: Texts } & Record<Language, NoInfer<Texts>>;

/**
 * The texts of a catalogue in the language of the request under way. They are read where they are said, in a function:
 * whatever a module reads while it loads stays English.
 */
export function spoken<Texts extends object>(catalogue: Catalogue<Texts>): Texts {
  const said = {} as Texts;
  for (const name of Object.keys(catalogue.en) as (keyof Texts)[])
    Object.defineProperty(said, name, { enumerable: true, get: () => catalogue[currentLanguage()][name] });
  return said;
}

const PLURALS = { en: new Intl.PluralRules('en'), fr: new Intl.PluralRules('fr') } satisfies Record<Language, unknown>;

/** The form that goes with a whole number: French counts 0 as one, English does not. */
export const plural = (language: Language, count: number, forms: { one: string; other: string }): string =>
  PLURALS[language].select(count) === 'one' ? forms.one : forms.other;

/** The same in each language, for whoever reads it later. */
export const inEach = <Texts, Said>(catalogue: Catalogue<Texts>, say: (texts: Texts) => Said): Record<Language, Said> =>
  Object.fromEntries(LANGUAGES.map((language) => [language, say(catalogue[language])])) as Record<Language, Said>;
