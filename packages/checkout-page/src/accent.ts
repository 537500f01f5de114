/** The studio's color on our page. Contrast is kept by rule: whatever the color, WCAG 2.2 AA holds. */

export const INKS = ['#10131a', '#ffffff', '#000000'] as const;

/** What text and marks stand on, in each theme: the card, the page behind it, and what is sunk into it. */
export const GROUNDS = {
  light: ['#ffffff', '#f3f4f7'],
  dark: ['#151922', '#0b0d12', '#1d2330'],
} as const;

export type Shade = keyof typeof GROUNDS;

const TEXT_CONTRAST = 4.5;
/** Less than this and a button melts into the page. */
const SEEN_CONTRAST = 1.6;

export interface AccentColors {
  /** The button's ground, as the studio chose it. */
  accent: string;
  /** What is written on it. */
  ink: string;
  /** Under the pointer: further away from the ink, so contrast only grows. */
  hover: string;
  /** The accent made to be read: links, focus, marks. */
  link: Record<Shade, string>;
  /** Whether the button needs an edge to be seen. */
  edged: Record<Shade, boolean>;
}

type Rgb = readonly [number, number, number];

/** Null when the text is no color; the page then keeps its own. */
export function accentColors(text: string | null): AccentColors | null {
  const accent = text !== null && /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : null;
  if (accent === null) return null;
  const ink = INKS.find(candidate => contrast(candidate, accent) >= TEXT_CONTRAST) ?? '#000000';
  return {
    accent,
    ink,
    hover: mix(accent, ink === '#ffffff' ? '#000000' : '#ffffff', 0.12),
    link: { light: readable(accent, 'light'), dark: readable(accent, 'dark') },
    edged: { light: melts(accent, 'light'), dark: melts(accent, 'dark') },
  };
}

/** WCAG's contrast of two colors, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** The nearest color on the way to the theme's own ink that can be read on every ground of the theme. */
function readable(color: string, shade: Shade): string {
  const goal = shade === 'light' ? '#000000' : '#ffffff';
  for (let step = 0; step < 20; step++) {
    const candidate = mix(color, goal, step / 20);
    if (GROUNDS[shade].every(ground => contrast(candidate, ground) >= TEXT_CONTRAST)) return candidate;
  }
  return goal;
}

const melts = (color: string, shade: Shade): boolean => contrast(color, GROUNDS[shade][0]) < SEEN_CONTRAST;

function luminance(color: string): number {
  const [red, green, blue] = rgbOf(color).map(part => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function mix(color: string, goal: string, share: number): string {
  const to = rgbOf(goal);
  const parts = rgbOf(color).map((part, index) => Math.round(part + (to[index]! - part) * share));
  return `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`;
}

const rgbOf = (color: string): Rgb => [
  Number.parseInt(color.slice(1, 3), 16),
  Number.parseInt(color.slice(3, 5), 16),
  Number.parseInt(color.slice(5, 7), 16),
];
