import { runInNewContext } from 'node:vm';
import type { FormOptions, OpenProviderPage } from '@coinslot/checkout-page';
import { expect, test, vi } from 'vitest';
import { PAGE_PART } from './page-script.ts';

const OPTIONS: FormOptions = {
  amount: 499,
  currency: 'usd',
  types: ['card'],
  order: ['card'],
  savable: {},
  charges: {},
  language: 'en',
  business: 'Sky Pirates',
};

/** The part as it goes into the page, with a stand-in for Stripe's script. */
function openPart() {
  const form = { on: vi.fn(), mount: vi.fn(), destroy: vi.fn() };
  const elements = { create: vi.fn(() => form), submit: vi.fn(async () => ({})), update: vi.fn() };
  const stripe = {
    elements: vi.fn((_given: { locale: string }) => elements),
    createConfirmationToken: vi.fn(async () => ({ confirmationToken: { id: 'ctoken_1' } })),
  };
  const scope: { openProviderPage?: OpenProviderPage } & Record<string, unknown> = {
    Stripe: () => stripe,
    document: { documentElement: {} },
    getComputedStyle: () => ({ colorScheme: 'light', getPropertyValue: () => ' #123456 ' }),
  };
  runInNewContext(`{${PAGE_PART}}`, scope);
  return { page: scope.openProviderPage!('pk_live_1'), stripe, elements, form };
}

const EVENTS = { chosen: vi.fn(), focused: vi.fn(), failed: vi.fn(), walletsFound: vi.fn(), approved: vi.fn() };
const PLACE = {} as HTMLElement;

test.each([
  ['de', 'de'],
  ['pt-BR', 'pt-BR'],
  ['zh-Hans', 'zh'],
  ['zh-Hant', 'zh-TW'],
  ['hi', 'auto'],
])('the form speaks %s by Stripe’s own name of it, %s', (language, locale) => {
  const { page, stripe } = openPart();
  page.mount(PLACE, { ...OPTIONS, language }, EVENTS, null);
  expect(stripe.elements.mock.calls[0]![0].locale).toBe(locale);
});

test('the fields are asked for in the same task, before anything is awaited', async () => {
  const { page, elements } = openPart();
  expect(page.submit('mika@example.com')).toBe(null);
  page.mount(PLACE, OPTIONS, EVENTS, null);
  const submitting = page.submit('mika@example.com');
  expect(elements.submit).toHaveBeenCalledTimes(1);
  expect(await submitting).toEqual({ token: 'ctoken_1' });
});

test('a form that is replaced is destroyed, and submits nothing', () => {
  const { page, form } = openPart();
  page.mount(PLACE, OPTIONS, EVENTS, null);
  page.unmount();
  expect(form.destroy).toHaveBeenCalledTimes(1);
  expect(page.submit('mika@example.com')).toBe(null);
});
