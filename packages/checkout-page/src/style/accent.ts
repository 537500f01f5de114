/** The studio's accent color on the page. Contrast meets WCAG 2.2 AA for every color. */

export const INKS = ['#10131a', '#ffffff', '#000000'] as const;

/** Background colors of each theme: the card, the page behind it, and inset fields. */
export const GROUNDS = {
  light: ['#ffffff', '#f3f4f7'],
  dark: ['#151922', '#0b0d12', '#1d2330'],
} as const;

export type Shade = keyof typeof GROUNDS;

const TEXT_CONTRAST = 4.5;
/** Below this contrast a button is hard to see on the page. */
const SEEN_CONTRAST = 1.6;

export interface AccentColors {
  /** The button's background, as the studio chose it. */
  accent: string;
  /** The button's text color. */
  ink: string;
  /** The hover color: further from the text color, so contrast only grows. */
  hover: string;
  /** The accent adjusted for readability: links, focus, marks. */
  link: Record<Shade, string>;
  /** Whether the button needs a border to be visible. */
  edged: Record<Shade, boolean>;
}

type Rgb = readonly [number, number, number];

/** Null when the text is not a color; the page then keeps its own. */
export function accentColors(text: string | null): AccentColors | null {
  const accent = text !== null && /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : null;
  if (accent === null) return null;
  const ink = INKS.find(candidate => contrast(candidate, accent) >= TEXT_CONTRAST) ?? '#000000';
  return {
    accent,
    ink,
    hover: mix(accent, ink === '#ffffff' ? '#000000' : '#ffffff', 0.12),
    link: { light: readable(accent, 'light'), dark: readable(accent, 'dark') },
    edged: { light: isHardToSee(accent, 'light'), dark: isHardToSee(accent, 'dark') },
  };
}

/** WCAG's contrast of two colors, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** The color closest to the accent that is readable on every background of the theme. */
function readable(color: string, shade: Shade): string {
  const goal = shade === 'light' ? '#000000' : '#ffffff';
  for (let step = 0; step < 20; step++) {
    const candidate = mix(color, goal, step / 20);
    if (GROUNDS[shade].every(ground => contrast(candidate, ground) >= TEXT_CONTRAST)) return candidate;
  }
  return goal;
}

const isHardToSee = (color: string, shade: Shade): boolean => contrast(color, GROUNDS[shade][0]) < SEEN_CONTRAST;

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
