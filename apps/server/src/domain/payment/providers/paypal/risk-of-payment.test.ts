import { paypalInTest } from '@coinslot/testing/paypal-in-test';
import { describe, expect, it } from 'vitest';
import { findChargeDetails } from '../base/provider-charge.sql.ts';
import { laterRisk, riskOfPayment } from './risk-of-payment.ts';

const checksOf = (avs_code: string, cvv_code: string) =>
  Object.fromEntries(
    (riskOfPayment({ money: { processor_response: { avs_code, cvv_code } } })?.checks ?? []).map(({ what, result }) => [
      what,
      result,
    ]),
  );

describe('what the bank of a card said to PayPal', () => {
  it.each([
    ['Y', 'M', { address: 'passed', postal_code: 'passed', security_code: 'passed' }],
    ['A', 'N', { address: 'passed', postal_code: 'failed', security_code: 'failed' }],
    ['Z', 'P', { address: 'failed', postal_code: 'passed', security_code: 'unchecked' }],
    ['N', 'M', { address: 'failed', postal_code: 'failed', security_code: 'passed' }],
    ['U', 'X', { address: 'unchecked', postal_code: 'unchecked', security_code: 'unchecked' }],
    ['0', '1', { address: 'passed', postal_code: 'passed', security_code: 'failed' }],
  ])('by the codes %s and %s', (avs, cvv, said) => {
    expect(checksOf(avs, cvv)).toEqual(said);
  });

  it('is left out where it is none or not known', () => {
    expect(riskOfPayment({ money: {} })).toBeNull();
    expect(riskOfPayment({ money: { seller_protection: { status: 'SOMETIMES' } } })).toBeNull();
  });

  it('replaces only itself when it is told again', () => {
    const before = riskOfPayment({
      order: { id: 'o', status: 'COMPLETED', payment_source: { paypal: { account_status: 'UNVERIFIED' } } },
      money: { seller_protection: { status: 'ELIGIBLE' } },
    });
    const now = riskOfPayment({ money: { seller_protection: { status: 'NOT_ELIGIBLE' } } });
    expect(laterRisk(before, now)?.checks).toEqual([
      { what: 'payer_account', result: 'failed' },
      { what: 'seller_protection', result: 'failed' },
    ]);
    expect(laterRisk(before, null)).toBe(before);
  });
});

describe('a payment by PayPal', async () => {
  const { database, paypal, gateway, authorized } = await paypalInTest();

  it('shows what PayPal said of the payer, from the reservation on and after the capture', async () => {
    Object.assign(paypal.store.signs, { account: 'UNVERIFIED', protection: 'PARTIALLY_ELIGIBLE', avs: 'Z', cvv: 'M' });
    const asked = await authorized();
    const seen = async () => (await findChargeDetails(database.db, asked))?.risk?.checks;
    const expected = [
      { what: 'payer_account', result: 'failed' },
      { what: 'seller_protection', result: 'partly' },
      { what: 'security_code', result: 'passed' },
      { what: 'postal_code', result: 'passed' },
      { what: 'address', result: 'failed' },
    ];
    expect(await seen()).toEqual(expected);
    await gateway.capture(asked);
    await gateway.lookUp(asked);
    expect(await seen()).toEqual(expected);
  });
});
