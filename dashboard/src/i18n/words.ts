import { useLocale } from 'ra-core';

type Words = Record<string, Record<string, string>>;

/**
 * A hook for the words of what the machine calls by names, which an area brings with it. It finds the word for a name of
 * a kind in the reader's language; undefined for what a later version brings.
 */
export const wordsOf =
  <const Kinds extends Words>({ en, fr }: { en: Kinds; fr: Record<keyof Kinds, Record<string, string>> }) =>
  () => {
    const known: Record<keyof Kinds, Record<string, string>> = useLocale() === 'fr' ? fr : en;
    return (kind: keyof Kinds, name: string): string | undefined => new Map(Object.entries(known[kind])).get(name);
  };
