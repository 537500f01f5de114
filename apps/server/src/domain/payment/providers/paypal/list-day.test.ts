import { paypalInTest } from '@coinslot/testing/paypal-in-test';
import { expect, it } from 'vitest';
import { DayIncomplete } from '../base/provider-day.ts';

const { paypal, provider, account, gateway, authorized, later } = await paypalInTest();
const DAY = 86_400;

const rangeOfToday = () => {
  const now = paypal.store.nowSeconds();
  return { fromSeconds: now - DAY / 2, toSeconds: now + DAY / 2 };
};

const listed = async (): Promise<string[]> => {
  const { payments } = await provider.day(account, rangeOfToday());
  const ids: string[] = [];
  for await (const page of payments()) ids.push(...page.map(({ providerId }) => providerId));
  return ids;
};

it('a day with more transactions than PayPal lists at once is read in parts, each once', async () => {
  for (let n = 0; n < 9; n++) {
    await gateway.capture(await authorized());
    await later(n % 3 === 0 ? 600 : 1);
  }
  const whole = await listed();
  expect(whole).toHaveLength(9);
  const asked = () => paypal.requests.filter(name => name.includes('/v1/reporting/transactions')).length;
  const before = asked();
  paypal.settings.mostListed = 2;
  const inParts = await listed();
  expect(inParts.toSorted()).toEqual(whole.toSorted());
  expect(asked() - before).toBeGreaterThan(5);
});

it('a second with more than PayPal lists leaves the day open, and no part of it is taken for all', async () => {
  paypal.settings.mostListed = 0;
  await expect(listed()).rejects.toThrow(DayIncomplete);
  paypal.settings.mostListed = 10_000;
});
