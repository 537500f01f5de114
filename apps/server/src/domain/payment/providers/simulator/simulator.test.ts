import { APPROVED, CHALLENGED, cardRequest, RETURN_URL, testCard } from '@coinslot/testing/simulator-books';
import { simulatorInTest } from '@coinslot/testing/simulator-in-test';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../../db/sql.ts';
import { newId } from '../../../../kit/ids.ts';
import type { AuthorizeRequest } from '../base/gateway.ts';
import { TEST_CARDS } from './test-cards.ts';

const { database, simulator, entriesOf, authorized, captured } = await simulatorInTest();

describe('the test cards', () => {
  const outcome = {
    approve: 'authorized',
    dispute_lost: 'authorized',
    dispute_won: 'authorized',
    dispute_evidence: 'authorized',
    inquiry: 'authorized',
    dispute_unclear: 'authorized',
    refund_fails: 'authorized',
    challenge: 'requires_action',
    decline: 'declined',
  };

  it.each(TEST_CARDS)('$number: $behavior.kind', async ({ number, brand, country, behavior }) => {
    const asked = cardRequest(number);
    const isDecline = behavior.kind === 'decline';
    expect(await simulator.authorize(asked)).toEqual({
      status: outcome[behavior.kind],
      amountMinor: 1999,
      currency: 'EUR',
      brand,
      last4: number.slice(-4),
      country,
      responseCode: isDecline ? behavior.code : null,
      responseDescription: isDecline ? behavior.description : null,
      challengeUrl: behavior.kind === 'challenge' ? `${RETURN_URL}/challenge` : null,
      disputes: [],
      askAgainInSeconds: null,
      ...(isDecline && {
        declinedBy: 'bank',
        refusal: {
          whose: 'bank',
          code: behavior.code,
          reason: behavior.description,
          param: null,
          requestId: null,
          isFinal: true,
        },
      }),
    });
    expect(await entriesOf(asked)).toEqual(outcome[behavior.kind] === 'authorized' ? ['authorized'] : []);
  });

  it('a number with spaces is the same card', async () => {
    const spaced = cardRequest('4242 4242 4242 4242');
    expect(await simulator.authorize(spaced)).toMatchObject({ status: 'authorized', last4: '4242' });
  });

  it.each(['4000056655665556', '4242424242424241', '1234', '', 'x'.repeat(300)])(
    'any other number (%j) is a decline that says that sandbox takes test cards only',
    async number => {
      const asked = cardRequest(number);
      const charge = await simulator.authorize(asked);
      expect(charge).toMatchObject({ status: 'declined', responseCode: '2014', country: null });
      expect(charge.responseDescription).toContain('test cards only');
      expect(await entriesOf(asked)).toEqual([]);
    },
  );

  it.each([
    ['a past expiry', { expiryMonth: 1, expiryYear: 2020 }, '2054'],
    ['a month that is none', { expiryMonth: 13 }, '2054'],
    ['a year that is none', { expiryYear: Number.NaN }, '2054'],
    ['a CVV of two digits', { cvc: '12' }, '2082'],
    ['no CVV', { cvc: '' }, '2082'],
  ])('%s is a decline, never an error', async (_, changes, responseCode) => {
    const asked = cardRequest(APPROVED, { payWith: { kind: 'card', card: testCard(APPROVED, changes) } });
    expect(await simulator.authorize(asked)).toMatchObject({ status: 'declined', responseCode, brand: 'visa' });
    expect(await entriesOf(asked)).toEqual([]);
  });

  it('no table of the provider holds a card number or a CVV', async () => {
    for (const { number } of TEST_CARDS) {
      await simulator.authorize(
        cardRequest(number, { payWith: { kind: 'card', card: testCard(number, { cvc: '987' }) } }),
      );
    }
    const rows = await database.db.query<{ text: string }>(sql('test_dump')`
      select row_to_json(it)::text as text from simulator.charges it
      union all select row_to_json(it)::text from simulator.saved_methods it`);
    const dump = rows.map(({ text }) => text).join('\n');
    for (const { number } of TEST_CARDS) expect(dump).not.toContain(number);
    expect(dump).not.toMatch(/\b987\b/);
  });
});

describe('3-D Secure', () => {
  it('the first answer stands, whatever is pressed afterwards', async () => {
    const completed = await authorized(CHALLENGED);
    expect(await simulator.answerChallenge(completed, 'complete')).toMatchObject({
      status: 'authorized',
      challengeUrl: null,
    });
    expect(await simulator.answerChallenge(completed, 'fail')).toMatchObject({
      status: 'authorized',
      responseCode: null,
    });
    expect(await simulator.capture(completed)).toMatchObject({ charge: { status: 'captured' } });
    expect(await simulator.answerChallenge(completed, 'complete')).toMatchObject({ status: 'captured' });
    expect(await entriesOf(completed)).toEqual(['authorized', 'captured']);

    const failed = await authorized(CHALLENGED);
    const answer = {
      status: 'declined',
      responseCode: '2065',
      responseDescription: '3-D Secure authentication failed',
    };
    expect(await simulator.answerChallenge(failed, 'fail')).toMatchObject(answer);
    expect(await simulator.answerChallenge(failed, 'complete')).toMatchObject(answer);
    expect(await entriesOf(failed)).toEqual([]);
  });

  it('a challenge that was given up cannot be completed', async () => {
    const asked = await authorized(CHALLENGED);
    await simulator.void(asked);
    expect(await simulator.answerChallenge(asked, 'complete')).toMatchObject({ status: 'voided' });
    expect(await entriesOf(asked)).toEqual([]);
  });
});

const payAgain = (token: string, changes: Partial<AuthorizeRequest> = {}) =>
  simulator.authorize(cardRequest(APPROVED, { payWith: { kind: 'saved_method', token, method: 'card' }, ...changes }));

describe('a saved method', () => {
  it('is saved once for a charge and pays again like its card', async () => {
    const asked = { ...(await captured()), playerId: 'player-1' };
    const [saved, again] = await Promise.all([simulator.saveMethod(asked), simulator.saveMethod(asked)]);
    expect(again).toEqual(saved);
    expect(saved).toMatchObject({ brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2040 });
    const charge = { status: 'authorized', brand: 'visa', last4: '4242', country: 'GB', amountMinor: 1999 };
    expect(await payAgain(saved.token)).toMatchObject(charge);
  });

  it('of a 3-D Secure card asks again', async () => {
    const asked = await authorized(CHALLENGED);
    await simulator.answerChallenge(asked, 'complete');
    const { token } = await simulator.saveMethod({ ...asked, playerId: 'p' });
    expect(await payAgain(token)).toMatchObject({ status: 'requires_action', challengeUrl: `${RETURN_URL}/challenge` });
  });

  it('is declined in another environment, when unknown, and when its card has expired', async () => {
    const soon = cardRequest(APPROVED, { payWith: { kind: 'card', card: testCard(APPROVED, { expiryYear: 2090 }) } });
    await simulator.authorize(soon);
    const { token } = await simulator.saveMethod({ ...soon, playerId: 'p' });
    expect(await payAgain(token, { environmentId: newId('env') })).toMatchObject({
      status: 'declined',
      responseCode: '2025',
    });
    expect(await payAgain('sim_unknown')).toMatchObject({ status: 'declined', responseCode: '2025' });
    await database.db.query(sql('test_age')`
      update simulator.saved_methods set expiry_year = 2020 where environment_id = ${soon.environmentId} and token = ${token}`);
    expect(await payAgain(token)).toMatchObject({ status: 'declined', responseCode: '2054' });
  });
});
