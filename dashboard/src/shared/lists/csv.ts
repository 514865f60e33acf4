/* CSV by RFC 4180 that spreadsheets open as it is meant, like that of the people's own statement. */

export type Cell = string | number | null | undefined;

/** A byte order mark, so that a spreadsheet reads UTF-8. */
export const CSV_START = '\uFEFF';

/** Text that a spreadsheet would run as a formula begins with `'`. */
const defused = (text: string) => (/^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/.test(text) ? `'${text}` : text);

/** Between the cells: a spreadsheet in French expects the second. */
export type Separator = ',' | ';';

export const separatorOf = (language: string): Separator => (language === 'fr' ? ';' : ',');

function cell(value: Cell): string {
  const text = typeof value === 'string' ? defused(value) : String(value ?? '');
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: Cell[], separator: Separator) => `${cells.map(cell).join(separator)}\r\n`;
