import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';

/** Half of what Lighthouse gives its full points for at a desk. */
const MOST_SHIFT = 0.05;

/** Adds up how far the page moved by itself while it loaded. */
const WATCH_SHIFTS = `(() => {
  globalThis.shifted = 0;
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value;
  }).observe({ type: 'layout-shift', buffered: true });
})()`;

export const watchShifts = (page: Page): Promise<unknown> => page.addInitScript(WATCH_SHIFTS);

export async function expectStill(page: Page, most = MOST_SHIFT): Promise<void> {
  expect(await page.evaluate('shifted')).toBeLessThanOrEqual(most);
}

export function requestsOf(page: Page): Request[] {
  const asked: Request[] = [];
  page.on('request', request => {
    // The stream of changes stays open and is no part of the page.
    if (!request.url().startsWith('data:') && !request.url().endsWith('/changes')) asked.push(request);
  });
  return asked;
}
