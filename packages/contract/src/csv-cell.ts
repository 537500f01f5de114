export type Cell = string | number | null;

/** What a spreadsheet would run as a formula, if a cell began with it: full-width and small signs too, and behind spaces. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@|%＝＋－＠｜％﹢﹣﹦﹫﹪−]|^[\t\r\n]/u;
const MUST_QUOTE = /[",\r\n;]/;

/** A cell as text: never a formula, whatever a player chose as a name. Numbers of our own come as numbers. */
export function csvCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return MUST_QUOTE.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180: lines end with CRLF. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;
