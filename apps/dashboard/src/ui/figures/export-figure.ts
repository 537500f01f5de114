import { csvCell } from '@coinslot/contract/csv-cell';

/** What a panel shows, as text: the same cells go into the table, the CSV and the picture. */
export interface FigureTable {
  title: string;
  columns: readonly string[];
  rows: readonly FigureRow[];
}

export interface FigureRow {
  cells: readonly string[];
  /** The plain numbers of the cells, for a spreadsheet; where absent, the text. */
  values?: readonly (number | string)[];
  /** Length of the bar, 0 to 1. */
  bar?: number;
}

export const csvOf = ({ columns, rows }: FigureTable): string =>
  [columns, ...rows.map(({ cells, values }) => values ?? cells)].map(line => line.map(csvCell).join(',')).join('\r\n');

export const fileName = (title: string, ending: 'csv' | 'png'): string =>
  `${title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')}.${ending}`;

export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

const WIDTH = 900;
const ROW = 34;
const HEAD = 96;
const DENSE = 2;
const EDGE = 24;
const FONT = 'system-ui, sans-serif';

const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

interface Line {
  text: string;
  x: number;
  y: number;
  font: string;
  ink: string;
  align?: CanvasTextAlign;
}

function write(pen: CanvasRenderingContext2D, { text, x, y, font, ink, align = 'left' }: Line): void {
  pen.font = `${font} ${FONT}`;
  pen.fillStyle = color(ink);
  pen.textAlign = align;
  pen.fillText(text, x, y);
}

/** The panel as a picture, in the colors of the page, for a report or a message. */
export function drawTable({ title, columns, rows }: FigureTable): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const height = HEAD + rows.length * ROW + EDGE;
  canvas.width = WIDTH * DENSE;
  canvas.height = height * DENSE;
  const pen = canvas.getContext('2d')!;
  pen.scale(DENSE, DENSE);
  pen.fillStyle = color('--surface');
  pen.fillRect(0, 0, WIDTH, height);
  write(pen, { text: title, x: EDGE, y: 40, font: '600 20px', ink: '--ink' });
  const places = columns.map((_, at) => (at === 0 ? EDGE : WIDTH - EDGE - (columns.length - 1 - at) * 150));
  const align = (at: number): CanvasTextAlign => (at === 0 ? 'left' : 'right');
  for (const [at, text] of columns.entries()) {
    write(pen, { text, x: places[at]!, y: 78, font: '13px', ink: '--soft', align: align(at) });
  }
  for (const [row, { cells, bar = 0 }] of rows.entries()) {
    const y = HEAD + row * ROW;
    pen.fillStyle = color('--series-1');
    pen.fillRect(EDGE, y + 24, (WIDTH - 2 * EDGE) * bar, 4);
    for (const [at, text] of cells.entries()) {
      write(pen, { text, x: places[at]!, y: y + 17, font: '14px', ink: '--ink', align: align(at) });
    }
  }
  return canvas;
}

/** A chart that is drawn already, with its title above it. */
export function frameChart(title: string, chart: HTMLCanvasElement): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const [edge, head] = [EDGE * DENSE, 64 * DENSE];
  canvas.width = chart.width + 2 * edge;
  canvas.height = chart.height + head + edge;
  const pen = canvas.getContext('2d')!;
  pen.fillStyle = color('--surface');
  pen.fillRect(0, 0, canvas.width, canvas.height);
  write(pen, { text: title, x: edge, y: 40 * DENSE, font: `600 ${20 * DENSE}px`, ink: '--ink' });
  pen.drawImage(chart, edge, head);
  return canvas;
}
