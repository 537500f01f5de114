import { expect, test } from 'vitest';
import type { LiveProvider } from '../../domain/payment/methods/live-routing.ts';
import { findMethod } from '../../domain/payment/methods/method-table.ts';
import type { Gateway } from '../../domain/payment/providers/base/gateway.ts';
import { PAYPAL_ABILITIES } from '../../domain/payment/providers/paypal/paypal-provider.ts';
import type { LiveFacts } from '../../domain/purchase/checkout/live-facts.ts';
import { liveForm } from './live-view.ts';
import { readLivePayForm } from './read-live-form.ts';

const NOW = new Date('2026-05-04T12:00:00Z');
const NUMBER = '4242424242424242';
const CARD = { card_number: NUMBER, card_expiry: '04 / 29', card_cvc: '123', postal_code: '10115' };
const FORM = { email: 'mika@example.com', ...CARD };

const gateway = { name: 'hosted' } as Gateway;

/** A provider that takes cards on its own page. */
const hosted = (isSimulated = false): LiveFacts => {
  const by: LiveProvider = {
    gateway,
    abilities: PAYPAL_ABILITIES,
    form: null,
    isTest: false,
    isSimulated,
    isSilent: false,
  };
  const methods = ['card', 'bancontact'].map(id => ({ ...findMethod(id)!, by }));
  return { provider: by, providers: [by], offer: { methods } };
};

test.each([{}, { method: 'card' }, { wallet: 'card' }])(
  'a card number is not read in live, whatever is posted (%j)',
  more => {
    const read = readLivePayForm({ ...FORM, ...more }, hosted(), NOW);
    expect(read).toMatchObject({ method: 'card', payWith: { kind: 'redirect', method: 'card' } });
    expect(JSON.stringify(read)).not.toContain(NUMBER);
  },
);

test('a card number that is wrong is not read either, so it is no mistake of the form', () => {
  expect(readLivePayForm({ ...FORM, card_number: '1' }, hosted(), NOW)).toMatchObject({
    payWith: { kind: 'redirect' },
  });
});

test('the simulator in place of a provider reads its test cards', () => {
  expect(readLivePayForm(FORM, hosted(true), NOW)).toMatchObject({
    payWith: { kind: 'card', card: { number: NUMBER } },
  });
});

test('without a form of the provider every method is one that leaves, also what has fields elsewhere', () => {
  expect(readLivePayForm({ ...FORM, method: 'bancontact' }, hosted(), NOW)).toMatchObject({
    payWith: { kind: 'redirect', method: 'bancontact' },
  });
  const order = { amountMinor: 100, currency: 'EUR' } as Parameters<typeof liveForm>[1];
  expect(liveForm(hosted(), order, [])).toMatchObject({ form: null, methods: [{ id: 'card' }, { id: 'bancontact' }] });
});
