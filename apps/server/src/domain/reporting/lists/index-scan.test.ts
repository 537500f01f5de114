import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeScans, type Scanned } from './index-scan.ts';

const ids = (...numbers: number[]) => numbers.map(number => ({ id: String(number).padStart(3, '0') }));

/** A range that is read as the statements read it: newest first, until enough match or enough was looked at. */
function scan(range: number[], before: number, limit: number, mostScanned: number): Scanned<{ id: string }> {
  const below = range.filter(number => number < before).toSorted((a, b) => b - a);
  const rows: number[] = [];
  for (const [index, number] of below.entries()) {
    if (number % 3 !== 0) rows.push(number);
    if (rows.length === limit) return { rows: ids(...rows), stoppedAt: ids(number)[0]!.id };
    if (index + 1 === mostScanned) return { rows: ids(...rows), stoppedAt: ids(number)[0]!.id };
  }
  return { rows: ids(...rows), stoppedAt: null };
}

describe('a page of several ranges', () => {
  it('ends where the first of them stopped, so that nothing is skipped', () => {
    const page = mergeScans(
      [
        { rows: ids(90, 50), stoppedAt: '040' },
        { rows: ids(80, 70), stoppedAt: '060' },
      ],
      10,
    );
    expect(page).toEqual({ rows: ids(90, 80, 70), nextBefore: '060', isShort: true });
  });

  it('is the last one when all were read to their end', () => {
    expect(mergeScans([{ rows: ids(2, 1), stoppedAt: null }], 2)).toEqual({
      rows: ids(2, 1),
      nextBefore: null,
      isShort: false,
    });
  });

  it('shows every row once and in order, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 80 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 9 }),
        (numbers, ranges, limit, mostScanned) => {
          const seen: string[] = [];
          for (let before = 999, pages = 0; ; pages++) {
            expect(pages).toBeLessThan(400);
            const scans = Array.from({ length: ranges }, (_, range) =>
              scan(
                numbers.filter(number => number % ranges === range),
                before,
                limit + 1,
                mostScanned,
              ),
            );
            const page = mergeScans(scans, limit);
            expect(page.rows.length).toBeLessThanOrEqual(limit);
            seen.push(...page.rows.map(({ id }) => id));
            if (page.nextBefore === null) break;
            expect(Number(page.nextBefore)).toBeLessThan(before);
            before = Number(page.nextBefore);
          }
          const wanted = numbers.filter(number => number % 3 !== 0).toSorted((a, b) => b - a);
          expect(seen).toEqual(ids(...wanted).map(({ id }) => id));
        },
      ),
    );
  });
});
