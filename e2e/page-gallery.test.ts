import type { CheckoutView } from '@coinslot/checkout-page';
import { GALLERY } from '@coinslot/checkout-page/gallery';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from './axe.ts';
import { base, type SamplePage, startSamplePage, type WatchedPage } from './sample-page.ts';

const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 900 };

let sample: SamplePage;
let page: WatchedPage;

beforeAll(async () => {
  sample = await startSamplePage();
  page = await sample.open(GALLERY.canceled, { viewport: PHONE });
});
afterAll(() => sample.close());

/** What the script would open by itself is not part of how the page looks. */
const still = (view: CheckoutView): CheckoutView => ('backToGameUrl' in view ? { ...view, backToGameUrl: null } : view);

async function expectWhole(width: number): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
}

test.each(Object.entries(GALLERY))(
  '%s is accessible, whole and silent, narrow and wide, light and dark',
  async (_, view) => {
    // Away first: the page before would follow its order to this state by itself. In the same origin, so that the browser keeps
    // its process and what it has compiled.
    await page.goto(`${sample.origin}/elsewhere`);
    sample.show(still(view));
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(PHONE);
    await page.goto(sample.origin + base);
    expect(await violations(page)).toEqual([]);
    await expectWhole(PHONE.width);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, 'colors')).toEqual([]);
    await page.setViewportSize(DESK);
    expect(await violations(page, 'colors')).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await violations(page, 'layout')).toEqual([]);
    await expectWhole(DESK.width);
    expect(page.troubles).toEqual([]);
  },
);
