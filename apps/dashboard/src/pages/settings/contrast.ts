/** Text colors that can be read on an accent; the checkout page uses the same rule. */
export const INKS = ['#10131a', '#ffffff'] as const;

const channel = (value: number): number => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

export function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => channel(Number.parseInt(color.slice(at, at + 2), 16) / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

export const inkOn = (color: string): string => INKS.find(ink => contrast(ink, color) >= 4.5) ?? '#000000';

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);
