import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What has the focus and is wholly below something that stays on the screen (2.4.11). */
const HIDDEN_FOCUS = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const { left, top, right, bottom } = element.getBoundingClientRect();
  if (right - left < 2 || bottom - top < 2) return null;
  const points = [[left + 2, top + 2], [right - 2, top + 2], [(left + right) / 2, (top + bottom) / 2], [left + 2, bottom - 2], [right - 2, bottom - 2]];
  const isSeen = points.some(([x, y]) => {
    const at = document.elementFromPoint(x, y);
    return at !== null && (element.contains(at) || at.contains(element));
  });
  return isSeen ? null : element.outerHTML.slice(0, 200);
})()`;

const TABS = 60;
const PHONE = { width: 390, height: 700 };

/** Through the whole page by the keyboard on a phone, where what stays on the screen takes the most of it. */
export async function expectFocusSeen(page: Page): Promise<void> {
  await page.setViewportSize(PHONE);
  await page.evaluate('scrollTo(0, 0)');
  for (let tab = 0; tab < TABS; tab++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(HIDDEN_FOCUS)).toBeNull();
    // After the last stop the browser begins again, and nothing new would be seen.
    if (tab > 0 && (await page.evaluate('document.activeElement === document.body'))) return;
  }
}
