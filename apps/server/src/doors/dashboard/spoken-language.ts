import { DASHBOARD_LOCALES, type DashboardLocale } from '@coinslot/contract';

const LONGEST_HEADER = 200;

const isSpoken = (tag: string): tag is DashboardLocale => (DASHBOARD_LOCALES as readonly string[]).includes(tag);

function weightOf(part: string): number {
  const weight = /;\s*q=([\d.]+)/.exec(part)?.[1];
  return weight === undefined ? 1 : Number(weight) || 0;
}

/** The app says in `Accept-Language` what it speaks; a bare browser says what it would like. */
export function spokenLanguage(header: string | undefined): DashboardLocale {
  const wanted = (header ?? '')
    .slice(0, LONGEST_HEADER)
    .split(',')
    .map(part => ({ tag: part.trim().slice(0, 2).toLowerCase(), weight: weightOf(part) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
  return wanted.find(isSpoken) ?? 'en';
}
