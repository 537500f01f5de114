import { type CheckoutView, LANGUAGES, type Language } from '@coinslot/checkout-page';
import { GALLERY } from '@coinslot/checkout-page/gallery';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from '../axe.ts';
import { base, type SamplePage, startSamplePage, type WatchedPage } from '../sample-page.ts';

const PHONE = { width: 360, height: 740 };
const SMALLEST = { width: 320, height: 568 };
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

/** Labels of which a word stands on two lines, or runs out of its place. */
const BROKEN_LABELS = `[...document.querySelectorAll('.facts dt')].flatMap(label => {
  const range = document.createRange();
  const words = [...label.textContent.matchAll(/\\S+/g)];
  const isBroken = ({ index, 0: word }) => {
    range.setStart(label.firstChild, index);
    range.setEnd(label.firstChild, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
  };
  return label.scrollWidth > label.clientWidth || words.some(isBroken) ? [label.textContent] : [];
})`;

// Written without spaces, these may break anywhere.
const UNSPACED: readonly Language[] = ['ja', 'th', 'zh-Hans', 'zh-Hant'];

test('the facts of a receipt stand whole in every language on the smallest phone', async () => {
  await page.setViewportSize(SMALLEST);
  const broken: Record<string, unknown> = {};
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    sample.show({ ...GALLERY.receipt, language });
    await page.goto(sample.origin + base);
    await expectWhole(SMALLEST.width);
    const labels = await page.evaluate<string[]>(BROKEN_LABELS);
    if (labels.length > 0 && !UNSPACED.includes(language)) broken[language] = labels;
  }
  expect(broken).toEqual({});
});
