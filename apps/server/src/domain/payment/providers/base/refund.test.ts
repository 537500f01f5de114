import { describe, expect, it } from 'vitest';
import type { Db } from '../../../../db/db.ts';
import type { Charge } from './charge-shape.ts';
import { PLAIN_CHARGE } from './charges.ts';
import type { ChargeDriver } from './driver.ts';
import { type FaultFacts, ProviderFault } from './fault.ts';
import { OutcomeUnknown } from './gateway.ts';
import type { ProviderCharge } from './provider-charge.sql.ts';
import { refunder } from './refund.ts';
import type { LocatedCharge } from './session.ts';

const CAPTURED: Charge = { ...PLAIN_CHARGE, status: 'captured' };
const FAILED: Charge = { ...CAPTURED, refundFailure: { reason: 'closed', code: 'x', refundId: 're_1' } };

const fault = (facts: FaultFacts): ProviderFault =>
  new ProviderFault(facts, {
    title: 'Bank of tests',
    isUncertain: ({ statusCode = 500 }) => statusCode >= 500,
    isStored: ({ statusCode }) => statusCode !== undefined,
    isMissing: () => false,
    accountProblemOf: () => null,
    paymentProblemOf: () => 'provider_refused',
    declineOf: () => null,
    stepReasonOf: () => undefined,
    final: [],
    banks: [],
    areDeclinesFinal: false,
  });

/** A provider that reads and answers as told, and remembers under which keys it was asked. */
function refunding(held: Charge, answer: () => Promise<string>, look = async () => {}) {
  const keys: string[] = [];
  const statements: string[] = [];
  const row = { environmentId: 'env_1', paymentId: 'pay_1', refundId: null, refundGeneration: 0 };
  const query = async ({ name }: { name: string }) => {
    statements.push(name);
    return [];
  };
  const charge = {
    row: row as Partial<ProviderCharge> as ProviderCharge & { intentId: string },
    db: { execute: query } as unknown as Db,
    call: <T>(_: string, work: (client: string[]) => Promise<T>) => work(keys),
    refuse: async (_: unknown, refusal: unknown) => ({ kind: 'refused', refusal }),
  } as unknown as LocatedCharge<string[]>;
  const refund = refunder<string[]>({
    title: 'Bank of tests',
    read: async () => held,
    refunds: {
      alreadyDone: [],
      find: async (_, id) => ({ id, failure: null }),
      async create(_charge, _held, send) {
        await look();
        const id = await send(async (client, key) => {
          client.push(key);
          return answer();
        });
        return { id, failure: null };
      },
    },
  } as Partial<ChargeDriver<string[]>> as ChargeDriver<string[]>);
  return { keys, statements, refund: () => refund(charge) };
}

const lost = () => Promise.reject(new OutcomeUnknown('no answer'));

describe('a refund whose answer got lost', () => {
  it('is asked for under the same key again', async () => {
    const { keys, statements, refund } = refunding(CAPTURED, lost);
    for (let i = 0; i < 3; i++) await expect(refund()).rejects.toThrow(OutcomeUnknown);
    expect(keys).toEqual(['pay_1-refund-0', 'pay_1-refund-0', 'pay_1-refund-0']);
    expect(statements).toEqual([]);
  });

  it('after one that its bank failed to do is another one, under one key however often it is asked for', async () => {
    const { keys, statements, refund } = refunding(FAILED, lost);
    for (let i = 0; i < 2; i++) await expect(refund()).rejects.toThrow(OutcomeUnknown);
    expect(keys).toEqual(['pay_1-refund-0-re_1', 'pay_1-refund-0-re_1']);
    expect(statements).toEqual([]);
  });
});

describe('an error', () => {
  it('that the provider keeps under the key makes the next refund take another', async () => {
    const { statements, refund } = refunding(CAPTURED, () => Promise.reject(fault({ statusCode: 400, code: 'low' })));
    expect(await refund()).toMatchObject({ kind: 'refused', refusal: { code: 'low' } });
    expect(statements).toEqual(['provider_charge_refund_refused']);
  });

  it('to a question before the refund leaves its key as it is', async () => {
    const unknown = new OutcomeUnknown('no answer', { cause: fault({ statusCode: 500, code: 'api_error' }) });
    const { keys, statements, refund } = refunding(CAPTURED, lost, () => Promise.reject(unknown));
    await expect(refund()).rejects.toThrow(OutcomeUnknown);
    expect([keys, statements]).toEqual([[], []]);
  });
});
