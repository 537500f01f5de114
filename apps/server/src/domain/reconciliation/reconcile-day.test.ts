import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';
import { newId } from '../../kit/ids.ts';
import { createSeal } from '../../kit/seal.ts';
import { signedInMember, type TestBrowser } from '../../testing/dashboard.ts';
import { MASTER_KEY } from '../../testing/program.ts';
import { registerTestAccount } from '../../testing/registered-game.ts';
import { type StripeShop, startStripeShop } from '../../testing/stripe-shop.ts';
import { runReconcile } from './reconcile-command.ts';
import { reconcileDue } from './reconcile-due.ts';

let shop: StripeShop;
let support: TestBrowser;

beforeAll(async () => {
  shop = await startStripeShop();
  support = (await signedInMember(shop, 'support')).browser;
});

beforeEach(async () => {
  await shop.database.db.query(sql('test_reconciliation_clear')`delete from reconciliation_differences`);
});

afterAll(() => shop?.close());

const deps = () => ({ ...shop.program.parts.live, fulfillment: shop.program.fulfillment });
const today = (): string => new Date(shop.stripe.store.nowSeconds() * 1000).toISOString().slice(0, 10);

async function run(day = today()): Promise<{ code: number; lines: string[]; errors: string[] }> {
  const lines: string[] = [];
  const errors: string[] = [];
  const code = await runReconcile(['--day', day], {
    ...deps(),
    write: text => void lines.push(text),
    writeError: text => void errors.push(text),
  });
  return { code, lines, errors };
}

interface Line {
  id: string;
  kind: string;
  state: string;
  payment_id: string | null;
  provider_id: string | null;
}

const path = (tail: string) => `/companies/${shop.account.companyId}/reconciliation${tail}`;
const differences = async (query = ''): Promise<Line[]> =>
  (await support.call<{ data: Line[] }>('GET', path(`/differences${query}`))).body.data;

const openOf = async (order: string): Promise<Line[]> => {
  const id = await shop.lastPayment(order);
  return (await differences('?state=open')).filter(line => line.payment_id === id);
};

const paid = async (): Promise<string> => {
  const order = await shop.order();
  await shop.payBy(order);
  return order;
};
const intentOf = async (order: string) => shop.stripe.intentOf(await shop.lastPayment(order));

describe('a day that is compared', () => {
  it('has no differences when nothing differs, however many pages it has', async () => {
    for (let i = 0; i < 6; i++) await paid();
    await shop.payBy(await shop.order(), 'pm_card_chargeDeclined');
    shop.stripe.settings.largestPage = 2;
    const compared = await run();
    shop.stripe.settings.largestPage = 100;
    expect(compared).toMatchObject({ code: 0, lines: [expect.stringContaining('7 payments, 0 refunds')] });
    expect(await differences()).toEqual([]);
  });

  it('puts right what only was not heard of: a refund, a dispute, a payment', async () => {
    const refunded = await paid();
    shop.stripe.refundThere(await intentOf(refunded));
    const disputed = await paid();
    shop.stripe.dispute(await intentOf(disputed));
    const finished = await shop.order();
    await shop.payBy(finished, 'pm_card_threeDSecure2Required');
    shop.stripe.authenticate(await intentOf(finished), true);
    await run();
    const found = await differences();
    expect(found.map(({ state }) => state)).toEqual(['corrected', 'corrected', 'corrected']);
    expect(new Set(found.map(({ kind }) => kind))).toEqual(
      new Set(['dispute_missing_here', 'refund_missing_here', 'status_differs']),
    );
    expect(await shop.read(refunded)).toMatchObject({ status: 'refunded' });
    expect(await shop.read(disputed)).toMatchObject({ status: 'disputed' });
    expect(await shop.read(finished)).toMatchObject({ status: 'paid' });
  });

  it('shows a partial refund, once, with what to do', async () => {
    const order = await paid();
    shop.stripe.refundThere(await intentOf(order), 100);
    await run();
    await run();
    expect(await openOf(order)).toMatchObject([
      {
        kind: 'partial_refund',
        payment_id: await shop.lastPayment(order),
        order_id: order,
        game_id: shop.account.gameId,
        what_to_do: expect.stringContaining('Refund the rest'),
      },
    ]);
  });

  it('shows money that Stripe has for a payment that our record lost', async () => {
    const order = await paid();
    const id = await shop.lastPayment(order);
    const intent = await intentOf(order);
    intent.metadata = { ...intent.metadata, payment_id: newId('pay') };
    await run();
    const found = await differences('?state=open');
    expect(found.filter(({ kind }) => kind === 'missing_here')).toMatchObject([{ provider_id: intent.id }]);
    intent.metadata = { ...intent.metadata, payment_id: id };
  });

  it('shows what Stripe does not know', async () => {
    const order = await paid();
    const intent = await intentOf(order);
    shop.stripe.store.intents.delete(intent.id);
    const answer = await run();
    shop.stripe.store.intents.set(intent.id, intent);
    expect(answer.code).toBe(0);
    expect(await openOf(order)).toMatchObject([
      { kind: 'missing_there', payment_id: await shop.lastPayment(order), provider_id: intent.id },
    ]);
  });

  it('leaves alone what others did with the same account', async () => {
    const order = await paid();
    const intent = await intentOf(order);
    shop.stripe.store.intents.set('pi_foreign', { ...intent, id: 'pi_foreign', metadata: {} });
    await run();
    shop.stripe.store.intents.delete('pi_foreign');
    expect((await differences()).filter(({ provider_id: id }) => id === 'pi_foreign')).toEqual([]);
    const runs = await support.call<{ data: Record<string, unknown>[] }>('GET', path('/runs'));
    expect(runs.body.data[0]).toMatchObject({ day: today(), state: 'done', foreign: 1, account_id: 'settings' });
  });

  it('fails whole and visibly when Stripe cannot be asked, and is done later', async () => {
    shop.stripe.faults.plan(/^GET \/v1\/refunds$/, { kind: 'answer', status: 500 });
    expect(await run()).toMatchObject({ code: 1 });
    const runs = await support.call<{ data: Record<string, unknown>[] }>('GET', path('/runs'));
    expect(runs.body.data[0]).toMatchObject({ state: 'failed', problem: expect.stringContaining('500') });
    expect(await run()).toMatchObject({ code: 0 });
  });
});

describe('the command', () => {
  it.each([[[]], [['--day', 'yesterday']], [['--day', '2026-02-31x']], [['--week', '1']]])(
    'with %j says how to call it',
    async argv => {
      const errors: string[] = [];
      const code = await runReconcile(argv, { ...deps(), write: () => {}, writeError: text => void errors.push(text) });
      expect([code, errors.join()]).toEqual([2, expect.stringContaining('--day')]);
    },
  );
});

describe('people', () => {
  it('resolve a difference with a note, once; it does not come back', async () => {
    const order = await paid();
    shop.stripe.refundThere(await intentOf(order), 50);
    await run();
    const [line] = await openOf(order);
    const resolve = (note: string) => support.call('POST', path(`/differences/${line!.id}/resolve`), { note });
    expect(await resolve('agreed with the player')).toMatchObject({
      status: 200,
      body: { state: 'resolved', note: 'agreed with the player', resolved_by: expect.stringContaining('support-') },
    });
    expect(await resolve('again')).toMatchObject({ body: { note: 'agreed with the player' } });
    await run();
    expect(await openOf(order)).toEqual([]);
    const audits = await shop.database.db.query(sql('test_audits')`
      select 1 from audit_entries where kind = 'difference.resolved' and object_id = ${line!.id}`);
    expect(audits).toHaveLength(1);
  });

  it('ask for a day, and a worker does it', async () => {
    const order = await paid();
    shop.stripe.refundThere(await intentOf(order));
    expect((await support.call('POST', path('/runs'), { day: today() })).status).toBe(202);
    await shop.program.workers.drain();
    expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
    expect(await support.call('POST', path('/runs'), { day: '2999-01-01' })).toMatchObject({ status: 422 });
  });

  it('of another company see nothing and resolve nothing', async () => {
    const order = await paid();
    shop.stripe.refundThere(await intentOf(order), 50);
    await run();
    const [line] = await openOf(order);
    const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    const stranger = (await signedInMember(shop, 'owner', other.companyId)).browser;
    expect(await stranger.call('GET', path('/differences'))).toMatchObject({ status: 404 });
    const own = `/companies/${other.companyId}/reconciliation/differences`;
    expect((await stranger.call('GET', own)).body).toMatchObject({ data: [] });
    expect(await stranger.call('POST', `${own}/${line!.id}/resolve`, { note: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'difference_not_found' },
    });
    const viewer = (await signedInMember(shop, 'viewer')).browser;
    expect(await viewer.call('GET', path('/differences'))).toMatchObject({ status: 403 });
  });
});

describe('the workers', () => {
  it('compare a day once, after two in the morning', async () => {
    const toMorning = 86_400 - (shop.stripe.store.nowSeconds() % 86_400);
    const day = today();
    const isDone = async () =>
      (
        await shop.database.db.query<{ day: string }>(sql('test_runs')`
        select to_char(day, 'YYYY-MM-DD') as day from reconciliation_runs where state = 'done'`)
      ).map(row => row.day);
    await shop.database.db.query(sql('test_runs_clear')`delete from reconciliation_runs`);
    await shop.database.advance(toMorning + 600);
    await reconcileDue(deps());
    expect(await isDone()).toEqual([]);
    await shop.database.advance(2 * 3_600);
    await Promise.all([reconcileDue(deps()), reconcileDue(deps())]);
    expect(await isDone()).toEqual([day]);
    const before = shop.stripe.requests.length;
    await reconcileDue(deps());
    expect(shop.stripe.requests.length).toBe(before);
  });
});
