import { currentLanguage } from '../process/context.ts';
import { LANGUAGES, type Language } from '../process/language.ts';

/** The same texts in every language: the English type defines the keys. */
export type Catalogue<Texts> = { en: Texts } & Record<Language, NoInfer<Texts>>;

/**
 * The texts of a catalogue in the language of the current request. Read them inside a function, when they are used: a
 * text that is read while a module loads stays English.
 */
export function localized<Texts extends object>(catalogue: Catalogue<Texts>): Texts {
  const texts = {} as Texts;
  for (const name of Object.keys(catalogue.en) as (keyof Texts)[])
    Object.defineProperty(texts, name, { enumerable: true, get: () => catalogue[currentLanguage()][name] });
  return texts;
}

const PLURALS = { en: new Intl.PluralRules('en'), fr: new Intl.PluralRules('fr') } satisfies Record<Language, unknown>;

/** A text with its `:name`s replaced. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replaceAll(/:(\w+)/g, (placeholder, name: string) => String(values[name] ?? placeholder));

/** The text for a whole number, its `:count`: 0 is singular in French, plural in English. */
export const counted = (
  forms: { one: string; other: string },
  count: number,
  language: Language = currentLanguage(),
): string => fill(PLURALS[language].select(count) === 'one' ? forms.one : forms.other, { count });

/** The same text in each language, to choose from later. */
export const inEach = <Texts, Said>(
  catalogue: Catalogue<Texts>,
  say: (texts: Texts, language: Language) => Said,
): Record<Language, Said> =>
  Object.fromEntries(LANGUAGES.map((language) => [language, say(catalogue[language], language)])) as Record<
    Language,
    Said
  >;
