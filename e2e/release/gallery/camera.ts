import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CDPSession, Page } from 'playwright-core';

export const SUBJECTS = ['page', 'dashboard', 'mails'] as const;
export type Subject = (typeof SUBJECTS)[number];
export const THEMES = ['light', 'dark'] as const;
export const DIRECTIONS = ['ltr', 'rtl'] as const;

/** A phone, a tablet and a desk. Taller than their screens, so that one picture shows what is to be scrolled to. */
const SCREENS = [
  { width: 390, height: 1200 },
  { width: 768, height: 1100 },
  { width: 1440, height: 1000 },
] as const;

export const FOLDER = fileURLToPath(new URL('../../../build/gallery/', import.meta.url));
/** Of the size that the browser draws. */
export const PICTURES = join(FOLDER, 'pictures');

/** One picture of a state. */
export interface Shot {
  file: string;
  /** Such as "light rtl 390". */
  label: string;
  width: number;
  height: number;
  image: Buffer;
}

export interface State {
  subject: Subject;
  name: string;
  shots: Shot[];
}

export const states: State[] = [];

/** The folders of other tests beside these stay: they may be at work on theirs. */
export function emptyFolders(): void {
  for (const own of [PICTURES, join(FOLDER, 'now'), join(FOLDER, 'kept')])
    rmSync(own, { recursive: true, force: true });
  mkdirSync(PICTURES, { recursive: true });
}

/**
 * What is different in every run is drawn alike: identifiers, minutes and seconds, lengths of time, ports. Style sheets that
 * a script makes are not subject to the page's policy.
 */
const HOLD_STILL = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*,*::before,*::after{transition:none!important;animation:none!important;caret-color:transparent!important}');
  document.adoptedStyleSheets = [sheet];
  const rules = [
    [/\\b([a-z]{2,5}(?:_[a-z]{2,7})?_)(?=[0-9a-z]*\\d)[0-9A-Za-z]{8,}\\b/g, (all, start) => start + '0'.repeat(all.length - start.length)],
    [/\\b([a-z]{2,5}_)?[0-9A-Za-z]{2,}…[\\w-]{2,}/g, (all, start = '') => start + '00…0000'],
    [/(_…)[\\w-]{2,}/g, (all, start) => start + '0000'],
    [/(\\d{1,2}):\\d{2}(?::\\d{2})?(?!\\d)/g, '$1:00'],
    [/\\b[\\d.,]+( |\\u00a0)?(ms|s|sec|min)\\b/g, '10$1$2'],
    [/127\\.0\\.0\\.1:\\d+/g, '127.0.0.1:4242'],
  ];
  const still = text => rules.reduce((left, [pattern, right]) => left.replace(pattern, right), text);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data } = walker.currentNode;
    if (still(data) !== data) walker.currentNode.data = still(data);
  }
  for (const input of document.querySelectorAll('input:not([type=checkbox], [type=radio]), textarea')) {
    if (still(input.value) !== input.value) input.value = still(input.value);
  }
  const top = document.querySelector('[data-shown-first]');
  if (top) top.scrollIntoView();
  else scrollTo(0, 0);
  return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(null))));
})()`;

const TRIES = 12;

/** In the dashboard the first picture that is the same twice: charts and lists follow the width of the screen a moment later. */
async function settledPicture(page: Page, screen: CDPSession, subject: Subject): Promise<Buffer> {
  let before = '';
  for (let tries = subject === 'dashboard' ? TRIES : 1; tries > 0; tries--) {
    await page.evaluate(HOLD_STILL);
    const options = { format: 'webp', quality: 82, optimizeForSpeed: true } as const;
    const { data } = await screen.send('Page.captureScreenshot', options);
    if (data === before) break;
    before = data;
  }
  return Buffer.from(before, 'base64');
}

/** The state that the page shows now, in every theme and width. Fails where it can be scrolled sideways. */
export async function shoot(page: Page, subject: Subject, name: string, direction: (typeof DIRECTIONS)[number]) {
  const screen = await page.context().newCDPSession(page);
  const known = states.find(one => one.subject === subject && one.name === name);
  const state = known ?? { subject, name, shots: [] };
  if (!known) states.push(state);
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const size of SCREENS) {
      await page.setViewportSize(size);
      const image = await settledPicture(page, screen, subject);
      const widest = await page.evaluate(() => document.documentElement.scrollWidth);
      if (widest > size.width) throw new Error(`${name} is ${widest} wide on a screen of ${size.width}`);
      const label = `${colorScheme} ${direction} ${size.width}`;
      const file = `${subject}-${name}-${label.replaceAll(' ', '-')}.webp`;
      writeFileSync(join(PICTURES, file), image);
      state.shots.push({ file, label, ...size, image });
    }
  }
  await screen.detach();
}
