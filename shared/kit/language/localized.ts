import { currentLanguage } from '../process/context.ts';
import { LANGUAGES, type Language } from '../process/language.ts';

/** Texts in every language; the English ones define the keys. */
export type Catalogue<Texts> = { en: Texts } & Record<Language, NoInfer<Texts>>;

/**
 * The texts in the language of the current request. Read a text when it is used: a text that is read while a module
 * loads is always English.
 */
export function localized<Texts extends object>(catalogue: Catalogue<Texts>): Texts {
  const texts = {} as Texts;
  for (const name of Object.keys(catalogue.en) as (keyof Texts)[])
    Object.defineProperty(texts, name, { enumerable: true, get: () => catalogue[currentLanguage()][name] });
  return texts;
}

const PLURALS = { en: new Intl.PluralRules('en'), fr: new Intl.PluralRules('fr') } satisfies Record<Language, unknown>;

/** Replaces the placeholders `:name` in a text. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replaceAll(/:(\w+)/g, (placeholder, name: string) => String(values[name] ?? placeholder));

/** The singular or plural text for a whole number, with `:count`. 0 is singular in French and plural in English. */
export const pluralize = (
  forms: { one: string; other: string },
  count: number,
  language: Language = currentLanguage(),
): string => fill(PLURALS[language].select(count) === 'one' ? forms.one : forms.other, { count });

/** Applies `say` to the texts of each language. */
export const mapLanguages = <Texts, Said>(
  catalogue: Catalogue<Texts>,
  say: (texts: Texts, language: Language) => Said,
): Record<Language, Said> =>
  Object.fromEntries(LANGUAGES.map((language) => [language, say(catalogue[language], language)])) as Record<
    Language,
    Said
  >;
