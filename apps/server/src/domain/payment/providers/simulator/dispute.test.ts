import { simulatorInTest } from '@coinslot/testing/simulator-in-test';
import { describe, expect, it } from 'vitest';
import type { ChargeRef } from '../base/gateway.ts';

// So long that only the moved clock brings the next stage.
const LONG = { opensAfterSeconds: 1_000, closesAfterSeconds: 1_000 };

const { database, simulator, entriesOf, authorized, captured } = await simulatorInTest(LONG);

const disputeOf = async (asked: ChargeRef) => (await simulator.lookUp(asked))?.disputes[0];

describe('disputes', () => {
  it('a capture asked for again tells of a dispute only after the ledger knows it', async () => {
    const asked = await captured('4000000000000267');
    await database.advance(2_000);
    expect(await simulator.capture(asked)).toMatchObject({
      charge: { status: 'captured', disputes: [{ status: 'lost' }] },
    });
    expect(await entriesOf(asked)).toEqual(['authorized', 'captured', 'charged_back', 'disputed']);
  });

  it.each([
    ['4000000000000267', 'lost', 'charged_back'],
    ['4000000000002685', 'won', 'dispute_won'],
  ])('%s opens a dispute after the capture, which is %s', async (number, outcome, entry) => {
    const asked = await authorized(number);
    expect(await simulator.capture(asked)).toMatchObject({ charge: { disputes: [], askAgainInSeconds: 1_000 } });
    expect(await disputeOf(asked)).toBeUndefined();
    await database.advance(1_000);
    expect(await disputeOf(asked)).toMatchObject({ status: 'open', reason: 'fraudulent' });
    expect(await simulator.lookUp(asked)).toMatchObject({ status: 'captured', disputes: [{ status: 'open' }] });
    expect(await simulator.refund(asked)).toMatchObject({ kind: 'refused' });
    await database.advance(1_000);
    for (let again = 0; again < 2; again++) {
      expect(await simulator.lookUp(asked)).toMatchObject({ disputes: [{ status: outcome }], askAgainInSeconds: null });
    }
    expect(await entriesOf(asked)).toEqual(['authorized', 'captured', 'disputed', entry].toSorted());
  });

  it('money lost in a dispute is not refunded as well; money that was kept can be', async () => {
    const lost = await captured('4000000000000267');
    const won = await captured('4000000000002685');
    await database.advance(3_000);
    expect(await simulator.refund(lost)).toMatchObject({ kind: 'refused' });
    expect(await simulator.refund(won)).toMatchObject({ kind: 'charge' });
    await simulator.lookUp(lost);
    expect(await entriesOf(lost)).toEqual(['authorized', 'captured', 'charged_back', 'disputed']);
  });

  it('a dispute after a refund is reported and moves nothing', async () => {
    const asked = await captured('4000000000000267');
    expect(await simulator.refund(asked)).toMatchObject({ kind: 'charge' });
    await database.advance(1_000);
    expect(await disputeOf(asked)).toMatchObject({ status: 'open' });
    await database.advance(1_000);
    expect(await disputeOf(asked)).toMatchObject({ status: 'won' });
    expect(await entriesOf(asked)).not.toContain('charged_back');
  });
});
