import { APPROVED, CHALLENGED, cardRequest } from '@coinslot/testing/simulator-books';
import { simulatorInTest } from '@coinslot/testing/simulator-in-test';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../../kit/ids.ts';
import type { AuthorizeRequest, RefundAnswer } from '../base/gateway.ts';

const { simulator, entriesOf, authorized } = await simulatorInTest();

async function inTurn(
  asked: AuthorizeRequest,
  ...calls: ('authorize' | 'capture' | 'void' | 'refund')[]
): Promise<void> {
  for (const call of calls) await simulator[call](asked);
}

const statusOf = (answer: RefundAnswer): string => (answer.kind === 'charge' ? answer.charge.status : answer.kind);

type Reach = (asked: AuthorizeRequest) => Promise<unknown>;
const REACH = {
  requires_action: { number: CHALLENGED, reach: asked => simulator.authorize(asked) },
  authorized: { number: APPROVED, reach: asked => simulator.authorize(asked) },
  declined: { number: '4832285061609015', reach: asked => simulator.authorize(asked) },
  captured: { number: APPROVED, reach: asked => inTurn(asked, 'authorize', 'capture') },
  voided: { number: APPROVED, reach: asked => inTurn(asked, 'authorize', 'void') },
  refunded: {
    number: APPROVED,
    reach: asked => inTurn(asked, 'authorize', 'capture', 'refund'),
  },
  never: { number: APPROVED, reach: asked => simulator.lookUp(asked) },
  unknown: { number: APPROVED, reach: async () => {} },
} satisfies Record<string, { number: string; reach: Reach }>;
type StatusName = keyof typeof REACH;

const CALLS = {
  authorize: async asked => (await simulator.authorize(asked)).status,
  capture: async asked => statusOf(await simulator.capture(asked)),
  void: async asked => statusOf(await simulator.void(asked)),
  refund: async asked => statusOf(await simulator.refund(asked)),
  lookUp: async asked => (await simulator.lookUp(asked))?.status ?? 'null',
  saveMethod: async asked =>
    (await simulator.saveMethod({ ...asked, playerId: 'p' })).token.startsWith('sim_') ? 'token' : '?',
  dispute: async asked => (await simulator.lookUp(asked))?.disputes[0]?.status ?? 'null',
  complete: async asked => (await simulator.answerChallenge(asked, 'complete')).status,
  fail: async asked => (await simulator.answerChallenge(asked, 'fail')).status,
} satisfies Record<string, (asked: AuthorizeRequest) => Promise<string>>;
type CallName = keyof typeof CALLS;

/** What each call answers for a charge in each status; `refused` and `error` move nothing. */
const TABLE: Record<StatusName, Record<CallName, string>> = {
  requires_action: {
    authorize: 'requires_action',
    capture: 'requires_action',
    void: 'voided',
    refund: 'refused',
    lookUp: 'requires_action',
    saveMethod: 'error',
    dispute: 'null',
    complete: 'authorized',
    fail: 'declined',
  },
  authorized: {
    authorize: 'authorized',
    capture: 'captured',
    void: 'voided',
    refund: 'refused',
    lookUp: 'authorized',
    saveMethod: 'token',
    dispute: 'null',
    complete: 'error',
    fail: 'error',
  },
  declined: {
    authorize: 'declined',
    capture: 'declined',
    void: 'declined',
    refund: 'refused',
    lookUp: 'declined',
    saveMethod: 'error',
    dispute: 'null',
    complete: 'error',
    fail: 'error',
  },
  captured: {
    authorize: 'captured',
    capture: 'captured',
    void: 'captured',
    refund: 'refunded',
    lookUp: 'captured',
    saveMethod: 'token',
    dispute: 'null',
    complete: 'error',
    fail: 'error',
  },
  voided: {
    authorize: 'voided',
    capture: 'voided',
    void: 'voided',
    refund: 'refused',
    lookUp: 'voided',
    saveMethod: 'error',
    dispute: 'null',
    complete: 'error',
    fail: 'error',
  },
  refunded: {
    authorize: 'refunded',
    capture: 'refunded',
    void: 'refunded',
    refund: 'refunded',
    lookUp: 'refunded',
    saveMethod: 'error',
    dispute: 'null',
    complete: 'error',
    fail: 'error',
  },
  never: {
    authorize: 'declined',
    capture: 'refused',
    void: 'refused',
    refund: 'refused',
    lookUp: 'null',
    saveMethod: 'error',
    dispute: 'null',
    complete: 'error',
    fail: 'error',
  },
  unknown: {
    authorize: 'authorized',
    capture: 'refused',
    void: 'refused',
    refund: 'refused',
    lookUp: 'null',
    saveMethod: 'error',
    dispute: 'null',
    complete: 'error',
    fail: 'error',
  },
};

const MATRIX = (Object.keys(TABLE) as StatusName[]).flatMap(status =>
  (Object.keys(CALLS) as CallName[]).map(call => ({ status, call, answer: TABLE[status][call] })),
);

describe('every call on a charge in every status', () => {
  it.each(MATRIX)('$call of a charge that is $status: $answer', async ({ status, call, answer }) => {
    const { number, reach } = REACH[status];
    const asked = cardRequest(number);
    await reach(asked);
    const before = await entriesOf(asked);
    if (answer === 'error') {
      await expect(CALLS[call](asked)).rejects.toThrow(asked.paymentId);
      expect(await entriesOf(asked)).toEqual(before);
      return;
    }
    expect(await CALLS[call](asked)).toBe(answer);
    const moved = answer !== status && ['authorized', 'captured', 'refunded'].includes(answer);
    const released = answer === 'voided' && status === 'authorized';
    expect(await entriesOf(asked)).toEqual((moved || released ? [...before, answer] : before).toSorted());
  });
});

async function sameTwentyTimes(call: () => Promise<unknown>): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 20 }, call));
  expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1);
}

describe('a repeated call', () => {
  it('moves nothing, however many arrive at the same instant', async () => {
    const asked = cardRequest();
    await sameTwentyTimes(() => simulator.authorize(asked));
    await sameTwentyTimes(() => simulator.capture(asked));
    await sameTwentyTimes(() => simulator.refund(asked));
    expect(await entriesOf(asked)).toEqual(['authorized', 'captured', 'refunded']);
  });

  it('one of capture and void wins, never both', async () => {
    for (let round = 0; round < 10; round++) {
      const asked = await authorized();
      const answers = await Promise.all([simulator.capture(asked), simulator.void(asked)]);
      expect(new Set(answers.map(statusOf)).size).toBe(1);
      expect(await entriesOf(asked)).toHaveLength(2);
    }
  });

  it('with another amount or order is refused and moves nothing', async () => {
    const asked = await authorized();
    await expect(simulator.authorize({ ...asked, amountMinor: 1 })).rejects.toThrow('another order or amount');
    await expect(simulator.authorize({ ...asked, orderId: newId('ord') })).rejects.toThrow('another order or amount');
    expect(await entriesOf(asked)).toEqual(['authorized']);
  });

  it('a capture of another amount or currency is refused, before and after the right one', async () => {
    const asked = await authorized();
    const wrong = [{ amountMinor: 2000 }, { currency: 'USD' }];
    const refusal = {
      whose: 'shop',
      code: 'amount_differs',
      reason: expect.stringContaining('Another amount'),
      param: 'amount',
      isFinal: true,
    };
    const isRefused = async (): Promise<void> => {
      for (const part of wrong) {
        expect(await simulator.capture({ ...asked, ...part })).toMatchObject({ kind: 'refused', refusal });
      }
    };
    await isRefused();
    expect(await entriesOf(asked)).toEqual(['authorized']);
    expect(statusOf(await simulator.capture(asked))).toBe('captured');
    await isRefused();
    expect(await entriesOf(asked)).toEqual(['authorized', 'captured']);
  });
});

describe('looking up', () => {
  it('an unknown charge is null, and a late authorization of it is declined', async () => {
    const asked = cardRequest();
    expect(await simulator.lookUp(asked)).toBeNull();
    expect(await simulator.authorize(asked)).toMatchObject({
      status: 'declined',
      responseCode: '2012',
      amountMinor: 1999,
    });
    expect(await simulator.lookUp(asked)).toBeNull();
    expect(await entriesOf(asked)).toEqual([]);
  });

  it('agrees with an authorization of the same instant: held and seen, or refused and never seen', async () => {
    for (let round = 0; round < 40; round++) {
      const asked = cardRequest();
      const [seen, charge] = await Promise.all([simulator.lookUp(asked), simulator.authorize(asked)]);
      expect(charge.status).toBe(seen === null ? 'declined' : 'authorized');
      expect(await entriesOf(asked)).toEqual(seen === null ? [] : ['authorized']);
    }
  });

  it('a charge of another environment is not found', async () => {
    const asked = await authorized();
    expect(await simulator.lookUp({ ...asked, environmentId: newId('env') })).toBeNull();
  });
});
