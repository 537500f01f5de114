import { signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { MASTER_KEY } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reconcileCommand } from '../../commands/reconcile.ts';
import { sql } from '../../db/sql.ts';
import { newId } from '../../kit/ids.ts';
import { createSeal } from '../../kit/seal.ts';
import { actOnAttention } from '../purchase/member-actions/act-on-attention.ts';
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

const today = (): string => new Date(shop.stripe.store.nowSeconds() * 1000).toISOString().slice(0, 10);
const DAY = 86_400;
const ACTOR = { userId: 'usr_test', email: 'ada@example.com', ip: '127.0.0.1' };

/** The shop's clock, which tests move; the provider's and that of ids stand still. */
async function shopSeconds(): Promise<number> {
  const [row] = await shop.database.db.query<{ now: number }>(sql('test_shop_seconds')`
    select extract(epoch from app_now())::float8 as now`);
  return row!.now;
}
const shopDay = async (daysAgo = 0): Promise<string> =>
  new Date(((await shopSeconds()) - daysAgo * DAY) * 1000).toISOString().slice(0, 10);

async function run(day = today()): Promise<{ code: number; lines: string[]; errors: string[] }> {
  const lines: string[] = [];
  const errors: string[] = [];
  const code = await reconcileCommand.run(['--day', day], {
    ...shop.program.purchasing,
    write: text => void lines.push(text),
    writeError: text => void errors.push(text),
  });
  return { code, lines, errors };
}

interface Line {
  id: string;
  theirs: string | null;
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
async function act(order: string, action: 'void' | 'settle_elsewhere'): Promise<void> {
  await actOnAttention(shop.program.purchasing, ACTOR, {
    companyId: shop.account.companyId,
    environmentId: shop.account.live.environmentId,
    paymentId: await shop.lastPayment(order),
    action,
    reason: 'Agreed with the player',
  });
}

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
      const code = await reconcileCommand.run(argv, {
        ...shop.program.purchasing,
        write: () => {},
        writeError: text => void errors.push(text),
      });
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

  it('see a later difference of a payment whose first one they resolved', async () => {
    const order = await paid();
    shop.stripe.refundThere(await intentOf(order), 50);
    await run();
    const [line] = await openOf(order);
    await support.call('POST', path(`/differences/${line!.id}/resolve`), { note: 'agreed with the player' });
    shop.stripe.refundThere(await intentOf(order), 70);
    await run();
    const [later, ...others] = await openOf(order);
    expect([later, others]).toMatchObject([{ kind: 'partial_refund', theirs: expect.stringContaining('1.20') }, []]);
    expect(later!.id).not.toBe(line!.id);
  });

  it('see a difference closed by itself once both sides agree again', async () => {
    const order = await paid();
    const intent = await intentOf(order);
    shop.stripe.store.intents.delete(intent.id);
    await run();
    expect(await openOf(order)).toMatchObject([{ kind: 'missing_there' }]);
    shop.stripe.store.intents.set(intent.id, intent);
    await run(await shopDay(1));
    expect(await openOf(order)).toEqual([]);
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

const verdict = async (): Promise<string> =>
  (await support.call<{ verdict: string }>('GET', path('/runs'))).body.verdict;

const clearRuns = () =>
  shop.database.db.query(sql('test_runs_clear')`with accounts as (update provider_accounts set created_at = app_now()),
    runs as (delete from reconciliation_runs) update environments set created_at = app_now()`);
/** To ten past two in the morning, so many days ahead. */
const toMorning = async (days = 1): Promise<void> => {
  await shop.database.advance(Math.ceil(days * DAY - ((await shopSeconds()) % DAY) + 2 * 3_600 + 600));
};
const doneDays = async (): Promise<string[]> =>
  (
    await shop.database.db.query<{ day: string }>(sql('test_runs_done')`
      select to_char(day, 'YYYY-MM-DD') as day from reconciliation_runs where state = 'done' order by day`)
  ).map(row => row.day);

describe('the verdict', () => {
  it('is not "no differences" before a day was compared, while one is missing, or while one differs', async () => {
    await clearRuns();
    const quiet = await shopDay(3);
    expect(await verdict()).toBe('never_compared');
    shop.stripe.faults.plan(/^GET \/v1\/refunds$/, { kind: 'answer', status: 500 });
    await run(quiet);
    expect(await verdict()).toBe('incomplete');
    await run(quiet);
    expect(await verdict()).toBe('in_agreement');
    const order = await paid();
    shop.stripe.refundThere(await intentOf(order), 50);
    await run();
    expect(await verdict()).toBe('differences');
  });
});

describe('money that waits for a person', () => {
  it('is red when the capture was refused for good after the grant, until a member ends it (row 94)', async () => {
    shop.stripe.faults.plan(/capture$/, { kind: 'refuse', status: 400, code: 'charge_expired_for_capture' });
    const order = await paid();
    expect(await shop.read(order)).toMatchObject({ status: 'authorized', attention: { code: 'capture_refused' } });
    await shop.later(3 * 3_600);
    await run();
    expect(await openOf(order)).toMatchObject([{ kind: 'overdue' }]);
    expect(await verdict()).toBe('differences');
    await act(order, 'void');
    await run(await shopDay(1));
    expect(await openOf(order)).toEqual([]);
  });

  it('is red when the refund of a rejected order was refused, and not once it was settled elsewhere (row 95)', async () => {
    const order = await paid();
    const refused = { kind: 'refuse', status: 400, code: 'payment_method_not_available' } as const;
    shop.stripe.faults.plan(/^POST \/v1\/refunds$/, refused, 3);
    await shop.database.db.query(sql('test_rejected')`
      update orders set status = 'rejected', paid_at = null, version = version + 1 where id = ${order}`);
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'rejected', attention: { code: 'refund_refused' } });
    await shop.later(3 * 3_600);
    await run();
    expect(await openOf(order)).toMatchObject([{ kind: 'overdue' }]);
    await act(order, 'settle_elsewhere');
    await run(await shopDay(1));
    expect(await openOf(order)).toEqual([]);
    shop.stripe.faults.clear();
    expect(await shop.read(order)).toMatchObject({ status: 'rejected', attention: null });
  });
});

describe('two comparisons of one day', () => {
  it('never run at once, and one that died is taken over', async () => {
    await clearRuns();
    const both = await Promise.all([run(), run()]);
    expect(both.filter(({ lines }) => lines[0]!.includes('Another process'))).toHaveLength(1);
    await shop.database.db.query(
      sql('test_runs_die')`update reconciliation_runs set state = 'running', alive_at = app_now()`,
    );
    expect((await run()).lines[0]).toContain('Another process');
    await shop.database.advance(660);
    expect((await run()).lines[0]).toContain('payments');
  });
});

describe('the workers', () => {
  it('look up only what took a step on the day, so that a night without sales asks about nothing', async () => {
    await clearRuns();
    await Promise.all([paid(), paid()]);
    const lookUpsOfNight = async (): Promise<number> => {
      await toMorning();
      const before = shop.stripe.requests.length;
      await reconcileDue(shop.program.purchasing);
      return shop.stripe.requests.slice(before).filter(one => one.startsWith('GET /v1/payment_intents/')).length;
    };
    await lookUpsOfNight();
    // What is open is asked about every night until it is resolved.
    await shop.database.db.query(sql('test_resolve_all')`update reconciliation_differences set state = 'resolved'`);
    expect([await lookUpsOfNight(), await lookUpsOfNight(), await lookUpsOfNight()]).toEqual([0, 0, 0]);
  });

  it('compare a day again that failed, one on which no worker ran, and one that was compared before its end', async () => {
    await clearRuns();
    await run(await shopDay());
    await toMorning();
    shop.stripe.faults.plan(/^GET \/v1\/refunds$/, { kind: 'answer', status: 500 });
    await reconcileDue(shop.program.purchasing);
    await shop.program.parts.background.settle();
    expect(await doneDays()).toEqual([]);
    await toMorning(3);
    await reconcileDue(shop.program.purchasing);
    const days = [await shopDay(4), await shopDay(3), await shopDay(2), await shopDay(1)];
    expect(await doneDays()).toEqual(days);
    const before = shop.stripe.requests.length;
    await reconcileDue(shop.program.purchasing);
    expect(shop.stripe.requests.length).toBe(before);
  });

  it('compare a day once, after two in the morning', async () => {
    const day = await shopDay();
    await clearRuns();
    await toMorning();
    await shop.database.advance(-2 * 3_600);
    await reconcileDue(shop.program.purchasing);
    expect(await doneDays()).toEqual([]);
    await shop.database.advance(2 * 3_600);
    await Promise.all([reconcileDue(shop.program.purchasing), reconcileDue(shop.program.purchasing)]);
    expect(await doneDays()).toEqual([day]);
    const before = shop.stripe.requests.length;
    await reconcileDue(shop.program.purchasing);
    expect(shop.stripe.requests.length).toBe(before);
  });
});

it('a day finds a refund that the bank gave back days later, though its callback never came (row 96)', async () => {
  const order = await paid();
  await shop.call('POST', `/s2s/v1/orders/${order}/refund`, {}, { key: shop.account.live.s2sKey });
  await shop.program.parts.background.settle();
  expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
  const { id } = await intentOf(order);
  await shop.later(5 * DAY);
  shop.stripe.failRefund([...shop.stripe.store.refunds.values()].find(({ payment_intent: of }) => of === id)!);
  await run();
  expect(await shop.read(order)).toMatchObject({ status: 'paid', attention: { code: 'refund_failed' } });
});
