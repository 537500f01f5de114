import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { violations } from '../axe.ts';

export const DESK = { width: 1280, height: 900 } as const;
export const NARROW = { width: 360, height: 740 } as const;

/** Where screenshots go: `LOOK=folder npx vitest run --project e2e e2e/dashboard`. */
const FOLDER = process.env.LOOK;

async function shoot(page: Page, name: string): Promise<void> {
  if (!FOLDER) return;
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`), animations: 'disabled' });
  }
}

/** What is on the screen now, dialogs included, fits a narrow phone and is accessible. */
export async function expectGood(page: Page, name: string): Promise<void> {
  await page.setViewportSize(NARROW);
  await shoot(page, `${name}-phone`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(NARROW.width);
  await page.setViewportSize(DESK);
  // A list that is about to be replaced is shown faintly.
  await page.locator('div[aria-busy="true"]').waitFor({ state: 'detached' });
  await shoot(page, `${name}-client`);
  expect(await violations(page)).toEqual([]);
}
