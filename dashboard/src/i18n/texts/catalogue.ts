/** Sentences by name, in groups. */
export interface Texts {
  [name: string]: string | Texts;
}

/** The same names as `T`, in another language. */
type Same<T> = { [Name in keyof T]: T[Name] extends string ? string : Same<T[Name]> };

/** One page area's sentences: a name that French lacks, or has beyond English, is a type error. */
export const catalogue = <const T extends Texts>(en: T, fr: Same<T>) => ({ en, fr });
