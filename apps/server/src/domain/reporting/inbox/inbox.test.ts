import { signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reconcileCommand } from '../../../commands/reconcile.ts';
import { sql } from '../../../db/sql.ts';

interface Line {
  id: string;
  kind: string;
  payment_id: string | null;
  mark: object | null;
}

let shop: StripeShop;
let support: TestBrowser;

beforeAll(async () => {
  shop = await startStripeShop();
  support = (await signedInMember(shop, 'support')).browser;
});

afterAll(() => shop?.close());

async function shopSeconds(): Promise<number> {
  const [row] = await shop.database.db.query<{ now: number }>(sql('test_shop_seconds')`
    select extract(epoch from app_now())::int as now`);
  return row!.now;
}

async function compare(): Promise<void> {
  const day = new Date(shop.stripe.store.nowSeconds() * 1000).toISOString().slice(0, 10);
  const ignore = (): void => undefined;
  await reconcileCommand.run(['--day', day], { ...shop.program.purchasing, write: ignore, writeError: ignore });
}

const intentOf = async (order: string) => shop.stripe.intentOf(await shop.lastPayment(order));

it('a difference is in the one list of what needs attention, snoozed there, and counted again when it changes', async () => {
  const inbox = async (view = 'open', browser = support) =>
    (
      await browser.call<{ data: Pick<Line, 'payment_id'>[]; differences: Line[]; count: number }>(
        'GET',
        `/games/${shop.account.gameId}/live/attention?view=${view}`,
      )
    ).body;
  const order = await shop.order();
  await shop.payBy(order);
  const { count } = await inbox();
  shop.stripe.refundThere(await intentOf(order), 50);
  await compare();
  const id = await shop.lastPayment(order);
  const accept = () => support.call('POST', `/games/${shop.account.gameId}/live/attention/${id}`, { action: 'accept' });
  // Its payment is an entry already, and both are about the same money.
  const first = await inbox();
  expect(first.data.map(({ payment_id }) => payment_id)).toContain(id);
  expect(first.differences.filter(({ payment_id }) => payment_id === id)).toEqual([]);
  expect(first.count).toBe(count + 1);
  expect(await accept()).toMatchObject({ status: 200 });
  const line = (await inbox()).differences.find(({ payment_id }) => payment_id === id);
  const own = async (view?: string) => (await inbox(view)).differences.filter(one => one.id === line!.id);
  expect(await own()).toMatchObject([{ kind: 'partial_refund', mark: null }]);
  const counted = (await inbox()).count;
  expect(counted).toBe(count + 1);
  const until = (await shopSeconds()) + 86_400;
  const mark = `/games/${shop.account.gameId}/live/attention/${line!.id}/mark`;
  expect(await support.call('PATCH', mark, { snoozed_until: until, note: 'Asked Stripe.' })).toMatchObject({
    status: 200,
  });
  expect(await own()).toEqual([]);
  expect((await inbox()).count).toBe(counted - 1);
  expect(await own('snoozed')).toMatchObject([{ mark: { note: 'Asked Stripe.', is_snoozed: true } }]);
  shop.stripe.refundThere(await intentOf(order), 10);
  await compare();
  await accept();
  expect(await own()).toMatchObject([{ mark: null }]);
  const viewer = (await signedInMember(shop, 'viewer')).browser;
  expect((await inbox('open', viewer)).differences).toEqual([]);
  await support.call('POST', `/companies/${shop.account.companyId}/reconciliation/differences/${line!.id}/resolve`, {
    note: 'Agreed.',
  });
  expect(await own()).toEqual([]);
});
