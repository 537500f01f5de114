import type { Device } from '@coinslot/contract';

/** A tablet of Apple says that it is a desktop; nothing but its script could tell, and the page sends nothing of the player. */
const SIGNS: readonly (readonly [RegExp, Device])[] = [
  [/iPad|Tablet|PlayBook|Silk|Android(?!.*Mobile)/i, 'tablet'],
  [/Mobi|iPhone|iPod|Android/i, 'phone'],
  [/Windows|Macintosh|X11|Linux|CrOS/i, 'desktop'],
];

const LONGEST = 300;

/** One of four words of all that a browser says about itself; nothing else of it is kept. */
export function deviceOf(userAgent: string | undefined): Device {
  const said = (userAgent ?? '').slice(0, LONGEST);
  return SIGNS.find(([sign]) => sign.test(said))?.[1] ?? 'other';
}
