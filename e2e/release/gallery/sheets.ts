import type { Page } from 'playwright-core';
import type { Shot, State } from './camera.ts';

const SCALE = 0.5;
const GAP = 8;
const COLUMNS = 3;

export interface Cell {
  shot: Shot;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Three widths beside each other, a row for each theme and direction. */
export function layOut({ shots }: State): { cells: Cell[]; width: number; height: number } {
  const cells: Cell[] = [];
  let [y, width] = [GAP, 0];
  for (let at = 0; at < shots.length; at += COLUMNS) {
    let x = GAP;
    let tallest = 0;
    for (const shot of shots.slice(at, at + COLUMNS)) {
      const cell = { shot, x, y, width: Math.round(shot.width * SCALE), height: Math.round(shot.height * SCALE) };
      cells.push(cell);
      x += cell.width + GAP;
      tallest = Math.max(tallest, cell.height);
    }
    y += tallest + GAP;
    width = Math.max(width, x);
  }
  return { cells, width, height: y };
}

const asUrl = (image: Buffer): string => `data:image/webp;base64,${image.toString('base64')}`;

/** All pictures of a state in one small one. The browser that took them reduces them, so no other program is needed. */
export async function drawSheet(page: Page, state: State): Promise<Buffer> {
  const { cells, width, height } = layOut(state);
  const places = cells.map(({ shot, ...place }) => ({ ...place, url: asUrl(shot.image) }));
  const drawn = await page.evaluate(
    async ({ places: parts, width: wide, height: high }) => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [wide, high];
      const context = canvas.getContext('2d')!;
      context.imageSmoothingQuality = 'high';
      context.fillStyle = '#9aa3b2';
      context.fillRect(0, 0, wide, high);
      for (const part of parts) {
        const image = new Image();
        image.src = part.url;
        await image.decode();
        context.drawImage(image, part.x, part.y, part.width, part.height);
      }
      return canvas.toDataURL('image/webp', 0.4);
    },
    { places, width, height },
  );
  return Buffer.from(drawn.slice(drawn.indexOf(',') + 1), 'base64');
}

/** How far one part of a color may be from what it was; another version of the browser smooths a little differently. */
const FAINT = 40;
/** Points of a cell that may be further away than that. */
const FEW = 12;

/** Labels of the pictures that differ from the kept sheet. A sheet of another form differs in all of them. */
export async function changedCells(page: Page, state: State, kept: Buffer, now: Buffer): Promise<string[]> {
  if (kept.equals(now)) return [];
  const { cells } = layOut(state);
  const places = cells.map(({ x, y, width, height }) => ({ x, y, width, height }));
  const changed = await page.evaluate(
    async ({ before, after, places: parts, faint, few }) => {
      const pixels = async (url: string): Promise<CanvasRenderingContext2D> => {
        const image = new Image();
        image.src = url;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.width, image.height];
        const context = canvas.getContext('2d', { willReadFrequently: true })!;
        context.drawImage(image, 0, 0);
        return context;
      };
      const [left, right] = [await pixels(before), await pixels(after)];
      const isOther = left.canvas.width !== right.canvas.width || left.canvas.height !== right.canvas.height;
      return parts.map(({ x, y, width, height }) => {
        if (isOther) return true;
        const [one, two] = [left.getImageData(x, y, width, height).data, right.getImageData(x, y, width, height).data];
        let apart = 0;
        for (let at = 0; at < one.length; at += 4) {
          const furthest = Math.max(
            Math.abs(one[at]! - two[at]!),
            Math.abs(one[at + 1]! - two[at + 1]!),
            Math.abs(one[at + 2]! - two[at + 2]!),
          );
          if (furthest > faint) apart++;
        }
        return apart > few;
      });
    },
    { before: asUrl(kept), after: asUrl(now), places, faint: FAINT, few: FEW },
  );
  return cells.filter((_, at) => changed[at]).map(({ shot }) => shot.label);
}

/** Widths of words in the fonts that the machine has: where they differ, so do the pictures. */
export const fontsOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d')!;
    const widths = ['Pay $4.99 now', 'ادفع الآن', '1,200 crystals'].flatMap(words =>
      ['16px system-ui', 'bold 28px system-ui', '14px monospace'].map(font => {
        context.font = font;
        return context.measureText(words).width.toFixed(2);
      }),
    );
    return widths.join(' ');
  });
