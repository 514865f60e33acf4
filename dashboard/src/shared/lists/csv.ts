/* CSV (RFC 4180) that spreadsheets open correctly, in the same format as people's own statements. */

export type Cell = string | number | null | undefined;

/** A byte order mark, so that a spreadsheet reads UTF-8. */
export const CSV_START = '\uFEFF';

/** Prefixes `'` to text that a spreadsheet would run as a formula. */
const escapeFormula = (text: string) => (/^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/.test(text) ? `'${text}` : text);

/** The cell separator. Spreadsheets in French expect a semicolon. */
export type Separator = ',' | ';';

export const separatorOf = (language: string): Separator => (language === 'fr' ? ';' : ',');

function cell(value: Cell): string {
  const text = typeof value === 'string' ? escapeFormula(value) : String(value ?? '');
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: Cell[], separator: Separator) => `${cells.map(cell).join(separator)}\r\n`;
