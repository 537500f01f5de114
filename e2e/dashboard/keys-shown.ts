import { readFileSync } from 'node:fs';
import { EVENT_SELECTORS } from '@coinslot/contract';
import type { Page } from 'playwright-core';

const ENGLISH = new URL('../../apps/dashboard/src/texts/en.json', import.meta.url);
const EVENTS = new Set<string>(EVENT_SELECTORS);
const KEYS = new Set(Object.keys(JSON.parse(readFileSync(ENGLISH, 'utf8'))).filter(key => !EVENTS.has(key)));

/** Texts that did not come with the page: each is shown by its key. */
export async function keysShown(page: Page): Promise<string[]> {
  const words = await page.evaluate(() => document.body.innerText.split(/\s+/));
  return words.filter(word => word.includes('.') && KEYS.has(word));
}
