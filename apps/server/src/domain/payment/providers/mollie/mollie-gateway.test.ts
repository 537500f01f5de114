import { MOLLIE_KEYS_OF_DOUBLE as KEYS } from '@coinslot/testing/mollie-double/mollie-double';
import { ACTIVE } from '@coinslot/testing/mollie-double/mollie-rules';
import { mollieInTest } from '@coinslot/testing/mollie-in-test';
import type { MollieClient, PaymentCreateParams } from '@mollie/api-client';
import { describe, expect, it } from 'vitest';
import { findMethod } from '../../methods/method-table.ts';
import { offerMethods } from '../../methods/methods.ts';
import type { AuthorizeRequest } from '../base/gateway.ts';
import type { BalanceEntry } from '../base/provider-day.ts';
import { isReserved, MOLLIE_ABILITIES, mollieNameOf } from './mollie-methods.ts';
import { mollieLocale, type paymentBody } from './payment-body.ts';

const { mollie, provider, gateway, account, request, later } = await mollieInTest();

const paid = async (more: Partial<AuthorizeRequest> = {}): Promise<AuthorizeRequest> => {
  const asked = request(more);
  await gateway.authorize(asked);
  mollie.decide(asked.paymentId, 'approves');
  return asked;
};
const ADDRESS = {
  givenName: 'Ada',
  familyName: 'de Vries',
  line: 'Keizersgracht 126',
  postalCode: '1015 CW',
  city: 'Amsterdam',
  region: null,
};
const by = (method: string, currency = 'EUR') => ({ payWith: { kind: 'redirect', method }, currency }) as const;
const bodies = (): Record<string, unknown>[] =>
  mollie.exchanges
    .filter(({ method, path }) => method === 'POST' && path === '/v2/payments')
    .map(({ body }) => body as Record<string, unknown>);

type EnumsAsText<T> = T extends string ? `${T}` : T extends object ? { [Name in keyof T]: EnumsAsText<T[Name]> } : T;

type Theirs = EnumsAsText<PaymentCreateParams>;

/**
 * Compiled only: what we send is what Mollie's other client takes, with its enumerations as the texts that they are. That
 * client wants whole addresses; Mollie itself takes an e-mail in the place of one.
 */
export const typed = (
  body: ReturnType<typeof paymentBody>,
): Omit<Theirs, 'billingAddress'> & { billingAddress?: Partial<Theirs['billingAddress']> } => body;
type RefundParams = Parameters<MollieClient['paymentRefunds']['create']>[0];
type CaptureParams = Parameters<MollieClient['paymentCaptures']['create']>[0];
const MONEY = { currency: 'EUR', value: '1.00' };
export const REFUND: RefundParams = { paymentId: 'tr_1', amount: MONEY, description: 'Refund', metadata: {} };
export const CAPTURE: CaptureParams = { paymentId: 'tr_1', amount: MONEY, metadata: {} };

describe('a payment at Mollie', () => {
  it('sends the player to Mollie’s page, with items, address, language, and where it reports changes', async () => {
    const items = [{ sku: 'gem', name: 'Gems', quantity: 2, priceMinor: 500 }];
    const callbackUrl = 'https://shop.test/gateways/mollie/cmp_1';
    const asked = request({ amountMinor: 1000, items, callbackUrl, country: 'NL', locale: 'nl', address: ADDRESS });
    expect(await gateway.authorize(asked)).toMatchObject({
      status: 'requires_action',
      nextAction: {
        redirectUrl: expect.stringContaining('/checkout/tr_'),
        clientSecret: null,
        expiresAt: expect.any(Date),
      },
    });
    expect(bodies()).toMatchObject([
      {
        method: 'creditcard',
        captureMode: 'manual',
        webhookUrl: callbackUrl,
        locale: 'nl_NL',
        redirectUrl: 'https://shop.test/c/token/return',
        cancelUrl: 'https://shop.test/c/token/cancel',
        billingAddress: {
          email: 'ada@player.test',
          country: 'NL',
          city: 'Amsterdam',
          streetAndNumber: 'Keizersgracht 126',
        },
        lines: [{ type: 'digital', quantity: 2, unitPrice: { value: '5.00' }, totalAmount: { value: '10.00' } }],
      },
    ]);
  });

  it('goes on without callbacks where Mollie does not reach the address', async () => {
    const asked = request({ callbackUrl: 'https://127.0.0.1/gateways/mollie' });
    expect(await gateway.authorize(asked)).toMatchObject({ status: 'requires_action' });
    expect(bodies().map(({ webhookUrl }) => webhookUrl)).toEqual([asked.callbackUrl, undefined]);
  });

  it.each([...MOLLIE_ABILITIES.methods])('by %s is reserved where Mollie can, else captured at once', async method => {
    const [currency] = [MOLLIE_ABILITIES.changes[method]?.currencies ?? findMethod(method)!.currencies].flat();
    const whole = { country: 'NL', address: ADDRESS };
    const asked = await paid({ ...by(method, currency === 'any' ? 'EUR' : currency), ...whole });
    const charge = await gateway.lookUp(asked);
    expect(charge).toMatchObject({ status: isReserved(method) ? 'authorized' : 'captured', method });
    expect(ACTIVE).toContain(mollieNameOf(method));
  });

  it('that the player cancels there is over, and so is one that was not paid in time', async () => {
    const canceled = request();
    await gateway.authorize(canceled);
    mollie.decide(canceled.paymentId, 'cancels');
    expect(await gateway.lookUp(canceled)).toMatchObject({ status: 'voided' });
    const late = request();
    await gateway.authorize(late);
    mollie.paymentOf(late.paymentId).status = 'expired';
    expect(await gateway.lookUp(late)).toMatchObject({ status: 'voided' });
  });

  it('that was given up here and is then approved there is released; one that is captured at once is recorded as it is', async () => {
    const card = request();
    const bank = request(by('ideal'));
    for (const asked of [card, bank]) {
      await gateway.authorize(asked);
      expect(await gateway.void(asked)).toMatchObject({ charge: { status: 'voided' } });
      mollie.decide(asked.paymentId, 'approves');
    }
    expect(await gateway.lookUp(card)).toMatchObject({ status: 'voided' });
    expect(mollie.paymentOf(card.paymentId).status).toBe('canceled');
    expect(await gateway.lookUp(bank)).toMatchObject({ status: 'captured' });
  });

  it('by bank transfer is shown on Mollie’s page alone: a payment whose answer is lost is mailed to no player (row 211)', async () => {
    const asked = request({ ...by('sepa_transfer'), email: 'ada@player.test' });
    mollie.faults.plan(/^POST \/v2\/payments$/, { kind: 'lose_answer' });
    expect(await gateway.authorize(asked)).toMatchObject({ status: 'declined', responseCode: 'provider_busy' });
    expect(mollie.store.mails).toEqual([]);
    expect(await gateway.lookUp(asked)).toBeNull();
  });

  it.each([
    ['has too much to do', { kind: 'answer', status: 429 }],
    ['answers with 503', { kind: 'answer', status: 503 }],
    ['breaks off', { kind: 'lose_request' }],
    ['loses its answer', { kind: 'lose_answer' }],
  ] as const)(
    'that was not begun because Mollie %s has reserved nothing, and may begin elsewhere (row 183)',
    async (_, fault) => {
      const asked = request();
      mollie.faults.plan(/^POST \/v2\/payments$/, fault, 9);
      expect(await gateway.authorize(asked)).toMatchObject({ status: 'declined', responseCode: 'provider_busy' });
    },
  );

  it('whose capture Mollie is still at is not captured a second time, however long that takes (row 212)', async () => {
    mollie.store.settings.slowCaptures = true;
    const asked = await paid();
    for (let i = 0; i < 3; i++) {
      await expect(gateway.capture(asked)).rejects.toThrow('has not captured');
      await later(4_000);
    }
    mollie.store.settings.slowCaptures = false;
    const [only, ...more] = mollie.store.ofPayment(mollie.store.captures, mollie.paymentOf(asked.paymentId).id);
    expect(more).toEqual([]);
    mollie.store.finishCapture(only!);
    expect(await gateway.capture(asked)).toMatchObject({ charge: { status: 'captured' } });
    expect(mollie.movementsOf(asked.paymentId)).toEqual(['authorized', 'captured']);
  });

  it('whose refund’s answer was lost is found by it, also after Mollie has forgotten the key (row 212)', async () => {
    const asked = await paid();
    await gateway.capture(asked);
    mollie.faults.plan(/refunds$/, { kind: 'lose_answer' });
    await expect(gateway.refund(asked)).rejects.toThrow();
    const [refund] = mollie.store.ofPayment(mollie.store.refunds, mollie.paymentOf(asked.paymentId).id);
    refund!.status = 'pending';
    await later(4_000);
    expect(await gateway.refund(asked)).toMatchObject({ kind: 'pending' });
    refund!.status = 'refunded';
    expect(await gateway.refund(asked)).toMatchObject({ charge: { status: 'refunded' } });
    expect(mollie.movementsOf(asked.paymentId).filter(one => one === 'refunded')).toHaveLength(1);
  });

  it('that Mollie cancels for us is canceled there', async () => {
    const asked = request(by('sepa_transfer'));
    await gateway.authorize(asked);
    await gateway.void(asked);
    expect(mollie.paymentOf(asked.paymentId).status).toBe('canceled');
  });

  it('whose refund waits for the bank stays captured and is asked about again', async () => {
    const asked = await paid();
    await gateway.capture(asked);
    await gateway.refund(asked);
    const [refund] = mollie.store.ofPayment(mollie.store.refunds, mollie.paymentOf(asked.paymentId).id);
    refund!.status = 'queued';
    expect(await gateway.lookUp(asked)).toMatchObject({ status: 'captured', askAgainInSeconds: expect.any(Number) });
    expect(await gateway.refund(asked)).toMatchObject({ kind: 'pending' });
  });

  it('that was charged back is lost, until Mollie says that the bank gave it back', async () => {
    const asked = await paid(by('paypal'));
    const chargeback = mollie.store.chargeBack(mollie.paymentOf(asked.paymentId));
    expect(await gateway.lookUp(asked)).toMatchObject({ disputes: [{ status: 'lost', evidenceStage: 'closed' }] });
    chargeback.reversedAt = mollie.store.nowSeconds();
    expect(await gateway.lookUp(asked)).toMatchObject({ disputes: [{ status: 'won' }] });
  });

  it.each([
    ['USD', by('ideal', 'USD'), 'method_unavailable'],
    ['Klarna without an address', by('klarna'), 'provider_refused'],
    ['KWD', by('card', 'KWD'), 'currency_unsupported'],
    ['a method that Mollie has not', by('pix'), 'method_unavailable'],
    ['too much', { amountMinor: 6_000_000 }, 'amount_above_maximum'],
  ] as const)('in %s is the shop’s fault, never the bank’s', async (_, more, code) => {
    const charge = await gateway.authorize(request(more));
    expect(charge).toMatchObject({ status: 'declined', declinedBy: 'shop', responseCode: code });
  });
});

describe('what Mollie offers', () => {
  const offered = (currency: string, country: string, amountMinor = 2000): string[] => {
    const offer = offerMethods({ currency, country, amountMinor, switches: new Map(), abilities: MOLLIE_ABILITIES });
    return 'methods' in offer ? offer.methods.map(({ id }) => id) : [];
  };

  it('follows country, currency and amount', () => {
    expect(offered('EUR', 'NL')).toEqual(expect.arrayContaining(['ideal', 'card', 'paypal']));
    expect(offered('EUR', 'BE').slice(0, 3)).toEqual(['bancontact', 'kbc', 'card']);
    expect(offered('PLN', 'PL').slice(0, 3)).toEqual(['blik', 'p24', 'card']);
    expect(offered('CHF', 'CH')[0]).toBe('twint');
    expect(offered('EUR', 'PT')[0]).toBe('mb_way');
    expect(offered('EUR', 'AT')).toContain('eps');
    expect(offered('EUR', 'AT', 99)).not.toContain('eps');
    expect(offered('EUR', 'AT', 1_000_001)).not.toContain('eps');
    expect(offered('EUR', 'PT', 500_001)).not.toContain('mb_way');
    expect(offered('CHF', 'CH', 500_001)).toContain('twint');
  });

  it('is never Klarna, which wants an address that no player is asked for (row 210)', () => {
    for (const country of ['NL', 'DE', 'SE']) expect(offered('EUR', country)).not.toContain('klarna');
  });

  it.each([
    ['de-AT', 'de_AT'],
    ['pl', 'pl_PL'],
    ['ja', undefined],
    [null, undefined],
  ])('speaks %s as %s', (locale, theirs) => {
    expect(mollieLocale(locale)).toBe(theirs);
  });
});

describe('a day at Mollie', () => {
  const rangeNow = () => {
    const now = mollie.store.nowSeconds();
    return { fromSeconds: now - 3_600, toSeconds: now + 3_600 };
  };
  const read = async <T>(pages: AsyncIterable<T[]>): Promise<T[]> => {
    const all: T[] = [];
    for await (const page of pages) all.push(...page);
    return all;
  };

  it('lists payments, refunds and chargebacks of that day only', async () => {
    await later(86_400 * 3);
    const [kept, refunded, disputed] = [await paid(), await paid(), await paid()];
    for (const asked of [kept, refunded, disputed]) await gateway.capture(asked);
    await gateway.refund(refunded);
    mollie.store.chargeBack(mollie.paymentOf(disputed.paymentId));
    const day = await provider.day(account, rangeNow());
    const payments = await read(day.payments());
    expect(payments.map(({ ours }) => String(ours?.paymentId)).toSorted()).toEqual(
      [kept, refunded, disputed].map(({ paymentId }) => paymentId).toSorted(),
    );
    expect(payments.filter(({ isDisputed }) => isDisputed)).toHaveLength(2);
    expect(await read(day.refunds())).toEqual([mollie.paymentOf(refunded.paymentId).id]);
    expect(await read(day.disputes())).toEqual([mollie.paymentOf(disputed.paymentId).id]);
  });

  it('names the settlement that each payment went out with', async () => {
    await later(86_400 * 3);
    const asked = await paid();
    await gateway.capture(asked);
    const { id: chargeId } = mollie.paymentOf(asked.paymentId);
    await later(86_400);
    const { id: payoutId } = mollie.store.settle();
    const entries: BalanceEntry[] = await read((await provider.day(account, rangeNow())).entries());
    expect(entries.filter(({ kind }) => kind === 'payout')).toMatchObject([{ payoutId }]);
    expect(entries.filter(entry => entry.chargeId === chargeId)).toMatchObject([
      { kind: 'payment', payoutId, grossMinor: asked.amountMinor, feeMinor: 29 },
    ]);
  });

  it('has no entries with a key that may not read balances', async () => {
    const day = await provider.day({ ...account, secretKey: KEYS.live }, rangeNow());
    expect(await read(day.entries())).toEqual([]);
  });
});

describe('a connection to Mollie', () => {
  const site = { host: 'shop.test', methods: ['card', 'kbc', 'blik', 'twint', 'eps', 'klarna', 'pix'], nowMs: 0 };

  it('is named by its profile, and refuses keys of another', async () => {
    const keys = { secretKey: KEYS.test, publishableKey: KEYS.profile, callbackSecret: null };
    expect(await provider.askAccount(keys)).toMatchObject({ accountId: KEYS.profile, isTest: true });
    expect(await provider.askAccount({ ...keys, publishableKey: 'pfl_other001' })).toEqual({
      problem: 'provider_key_invalid',
    });
    expect(await provider.askAccount({ ...keys, secretKey: 'test_nobody000000000000000' })).toMatchObject({
      problem: 'provider_key_invalid',
    });
    expect(
      provider.keys.issues({ ...keys, publishableKey: 'x', secretKey: 'sk_live_1', callbackSecret: 's' }),
    ).toHaveLength(3);
  });

  it('learns which methods are active, those for other currencies than euros too, and which it cannot take (row 213)', async () => {
    const keys = { secretKey: KEYS.test, publishableKey: KEYS.profile, callbackSecret: null };
    expect(await provider.askAccount(keys)).toMatchObject({ seen: { unavailableMethods: [] } });
    mollie.store.settings.inactive = ['eps', 'blik'];
    expect(await provider.askAccount(keys)).toMatchObject({ seen: { unavailableMethods: ['blik', 'eps'] } });
    const checks = (await provider.inspect(account, site)).filter(({ check }) => check === 'methods');
    mollie.store.settings.inactive = [];
    expect(checks.map(({ about, state }) => [about, state])).toEqual([
      ['Card', 'ok'],
      ['KBC/CBC', 'ok'],
      ['BLIK', 'warning'],
      ['TWINT', 'ok'],
      ['EPS', 'warning'],
      ['Klarna', 'warning'],
    ]);
  });

  it('says why, in Mollie’s words, where a token lacks a permission or the profile takes no payments', async () => {
    const keys = { secretKey: KEYS.live, publishableKey: KEYS.profile, callbackSecret: null };
    mollie.faults.plan(/profiles/, { kind: 'refuse', status: 403 });
    expect(await provider.askAccount(keys)).toEqual({
      problem: 'provider_permission_missing',
      said: 'From the double.',
    });
    for (const status of ['unverified', 'blocked'] as const) {
      mollie.store.settings.profile = status;
      expect(await provider.askAccount(keys)).toMatchObject({
        seen: { chargesEnabled: false, problemCode: 'provider_account_not_active', said: status },
      });
    }
    mollie.store.settings.profile = 'verified';
  });

  it('learns that a key alone reads no settlements', async () => {
    const checks = await provider.inspect({ ...account, secretKey: KEYS.live }, site);
    expect(checks).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ check: 'methods', about: 'KBC/CBC', state: 'ok' }),
        expect.objectContaining({ check: 'permissions', about: 'settlements', state: 'warning' }),
      ]),
    );
    expect(checks.some(({ about }) => about === 'Pix')).toBe(false);
    expect(await provider.inspect(account, site)).toEqual(
      expect.arrayContaining([expect.objectContaining({ check: 'permissions', about: 'settlements', state: 'ok' })]),
    );
  });

  it('reads from a callback the payment’s id and nothing else', () => {
    expect(provider.callbacks.read(Buffer.from('id=tr_7UhSN1zuXS&status=paid'))).toMatchObject({
      intentId: 'tr_7UhSN1zuXS',
      eventId: null,
      paymentId: null,
    });
    for (const body of ['', '{}', 'id=', 'id=ord_1', `id=tr_${'x'.repeat(100)}`])
      expect(provider.callbacks.read(Buffer.from(body))).toBeNull();
  });
});
