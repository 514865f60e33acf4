import { useLocale } from 'ra-core';

type Words = Record<string, Record<string, string>>;

/**
 * Creates a hook that returns the label of a machine-readable name in the reader's language, by kind and name.
 * Undefined for an unknown name, which a later server version may send.
 */
export const createWordsHook =
  <const Kinds extends Words>({ en, fr }: { en: Kinds; fr: Record<keyof Kinds, Record<string, string>> }) =>
  () => {
    const labels: Record<keyof Kinds, Record<string, string>> = useLocale() === 'fr' ? fr : en;
    return (kind: keyof Kinds, name: string): string | undefined => new Map(Object.entries(labels[kind])).get(name);
  };
