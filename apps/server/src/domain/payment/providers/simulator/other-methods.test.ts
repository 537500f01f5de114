import { APPROVED, cardRequest, RETURN_URL } from '@coinslot/testing/simulator-books';
import { simulatorInTest } from '@coinslot/testing/simulator-in-test';
import { describe, expect, it } from 'vitest';
import { METHODS } from '../../methods/method-table.ts';
import type { AuthorizeRequest } from '../base/gateway.ts';

const { database, simulator, entriesOf } = await simulatorInTest();

const by = (method: string): AuthorizeRequest => cardRequest(APPROVED, { payWith: { kind: 'redirect', method } });

describe('methods other than cards', () => {
  it('a wallet agrees at once and only reserves', async () => {
    const asked = by('apple_pay');
    expect(await simulator.authorize(asked)).toMatchObject({ status: 'authorized', method: 'apple_pay', last4: null });
    expect(await entriesOf(asked)).toEqual(['authorized']);
  });

  it('a bank asks on its own page and has captured by then', async () => {
    const asked = by('ideal');
    expect(await simulator.authorize(asked)).toMatchObject({
      status: 'requires_action',
      challengeUrl: `${RETURN_URL}/challenge`,
    });
    expect(await simulator.answerChallenge(asked, 'complete')).toMatchObject({ status: 'captured', method: 'ideal' });
    expect(await simulator.capture(asked)).toMatchObject({ charge: { status: 'captured' } });
    expect(await simulator.refund(asked)).toMatchObject({ kind: 'charge', charge: { status: 'refunded' } });
  });

  it('one that can reserve reserves after its page too', async () => {
    const asked = by('paypal');
    await simulator.authorize(asked);
    expect(await simulator.answerChallenge(asked, 'complete')).toMatchObject({ status: 'authorized' });
  });

  it('a voucher has a number and a date, and its money comes later by itself', async () => {
    const asked = by('multibanco');
    const charge = await simulator.authorize(asked);
    expect(charge).toMatchObject({ status: 'processing', askAgainInSeconds: 60 });
    expect(charge.nextAction).toMatchObject({ reference: expect.stringMatching(/^\d{4} \d{4} \d{4}$/) });
    expect(charge.nextAction?.expiresAt).toBeInstanceOf(Date);
    expect(await simulator.lookUp(asked)).toMatchObject({ status: 'processing' });
    await database.advance(61);
    expect(await simulator.lookUp(asked)).toMatchObject({ status: 'captured' });
    expect(await simulator.lookUp(asked)).toMatchObject({ status: 'captured' });
    expect(await entriesOf(asked)).toEqual(['captured']);
  });

  it('a debit takes its time without a number', async () => {
    const charge = await simulator.authorize(by('sepa_debit'));
    expect(charge).toMatchObject({ status: 'processing', nextAction: { reference: null, expiresAt: null } });
  });

  it('cash from a till cannot be returned', async () => {
    const asked = by('oxxo');
    await simulator.authorize(asked);
    await database.advance(61);
    await simulator.lookUp(asked);
    expect(await simulator.refund(asked)).toMatchObject({ kind: 'refused' });
  });

  it('what is given up in time moves no money', async () => {
    const asked = by('multibanco');
    await simulator.authorize(asked);
    expect(await simulator.void(asked)).toMatchObject({ charge: { status: 'voided' } });
    await database.advance(61);
    expect(await simulator.lookUp(asked)).toMatchObject({ status: 'voided' });
    expect(await entriesOf(asked)).toEqual([]);
  });

  it.each(METHODS.filter(({ id }) => id !== 'card').map(({ id }) => id))('%s can be asked for', async id => {
    expect(await simulator.authorize(by(id))).toMatchObject({ method: id, amountMinor: 1999 });
  });
});

describe('a kept method', () => {
  const saved = async (playerId: string) => {
    const asked = cardRequest(APPROVED, { playerId });
    await simulator.authorize(asked);
    return simulator.saveMethod({ ...asked, playerId });
  };
  const payWith = (token: string, playerId: string) =>
    simulator.authorize(cardRequest(APPROVED, { playerId, payWith: { kind: 'saved_method', token, method: 'card' } }));

  it('pays for its own player and for no other', async () => {
    const { token } = await saved('mika');
    expect(await payWith(token, 'mika')).toMatchObject({ status: 'authorized', last4: '4242' });
    expect(await payWith(token, 'another player')).toMatchObject({ status: 'declined', responseCode: '2025' });
  });

  it('that was forgotten pays no more, and forgetting it twice changes nothing', async () => {
    const { token } = await saved('mika');
    const request = { environmentId: 'env_of_a_test', playerId: 'mika', token };
    await simulator.forgetMethod?.(request);
    await simulator.forgetMethod?.(request);
    expect(await payWith(token, 'mika')).toMatchObject({ status: 'declined' });
  });
});
