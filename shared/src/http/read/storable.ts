// Everything below a space except tab, newline and carriage return, and DEL.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/**
 * The one rule for text from outside (body, query, path, header): PostgreSQL stores it unchanged and people can read
 * it. No control characters, no half of a surrogate pair.
 */
export const isStorable = (text: string): boolean => !CONTROL.test(text) && text.isWellFormed();
