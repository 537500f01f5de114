import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accentColors, contrast, GROUNDS, type Shade } from './accent.ts';

const color = fc.integer({ min: 0, max: 0xff_ff_ff }).map(value => `#${value.toString(16).padStart(6, '0')}`);

/** A grid over all colors, every gray, and random colors. */
const grid = [0, 51, 102, 119, 153, 204, 255].map(part => part.toString(16).padStart(2, '0'));
const grays = Array.from({ length: 256 }, (_, part) => part.toString(16).padStart(2, '0'));
const known = [
  ...grid.flatMap(red => grid.flatMap(green => grid.map(blue => `#${red}${green}${blue}`))),
  ...grays.map(part => `#${part}${part}${part}`),
];

function holds(accent: string): void {
  const colors = accentColors(accent)!;
  expect(colors.accent).toBe(accent);
  expect([accent, contrast(colors.ink, colors.accent) >= 4.5]).toEqual([accent, true]);
  expect([accent, contrast(colors.ink, colors.hover) >= 4.5]).toEqual([accent, true]);
  for (const shade of ['light', 'dark'] satisfies Shade[]) {
    for (const ground of GROUNDS[shade]) {
      expect([accent, ground, contrast(colors.link[shade], ground) >= 4.5]).toEqual([accent, ground, true]);
    }
    const seen = colors.edged[shade] || contrast(accent, GROUNDS[shade][0]) >= 1.6;
    expect([accent, shade, seen]).toEqual([accent, shade, true]);
  }
}

describe('for any accent color', () => {
  test('contrast holds on a grid of all colors and on every gray', () => {
    for (const accent of known) holds(accent);
  });

  test('contrast holds for random colors', () => {
    fc.assert(fc.property(color, holds), { numRuns: 2000 });
  });
});

test('a color that is already readable is left as it is', () => {
  expect(accentColors('#3730a3')).toMatchObject({ ink: '#ffffff', link: { light: '#3730a3' } });
  expect(accentColors('#F2A900')).toMatchObject({ accent: '#f2a900', ink: '#10131a', link: { dark: '#f2a900' } });
});

test.each([null, '', 'red', '#fff', '#12345g', '#1234567', 'url(x)', '#f2a900;}', '#f2a900\n', ' #f2a900'])(
  '%j is not a color',
  text => {
    expect(accentColors(text)).toBeNull();
  },
);

test('contrast is the one of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});
