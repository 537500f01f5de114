const ESCAPE = String.fromCodePoint(27);
const COLOR = new RegExp(`${ESCAPE}\\[\\d+m`, 'g');
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const NARROW = /\p{Mn}|\u200d/u;

/** The width of a text in terminal cells. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text.replace(COLOR, '')) width += NARROW.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

export const padEnd = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** Aligned columns, two spaces apart. */
export function columns(rows: readonly (readonly string[])[], indent = ''): string {
  const widths: number[] = [];
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, widthOf(cell));
  return rows
    .map(
      row =>
        indent +
        row
          .map((cell, i) => (i === row.length - 1 ? cell : padEnd(cell, widths[i]!)))
          .join('  ')
          .trimEnd(),
    )
    .join('\n');
}
