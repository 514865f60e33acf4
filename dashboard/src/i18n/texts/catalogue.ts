/** Messages by key, in nested groups. */
export interface Texts {
  [name: string]: string | Texts;
}

/** The same keys as `T`, with any text. */
type Same<T> = { [Name in keyof T]: T[Name] extends string ? string : Same<T[Name]> };

/** The messages of one area. A key that only one of the languages has is a type error. */
export const catalogue = <const T extends Texts>(en: T, fr: Same<T>) => ({ en, fr });
