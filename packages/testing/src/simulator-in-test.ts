import { afterAll, expect } from 'vitest';
import type { AuthorizeRequest, ChargeRef } from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';
import {
  createSimulator,
  type SimulatorOptions,
} from '../../../apps/server/src/domain/payment/providers/simulator/simulator.ts';
import { testDatabase } from './database.ts';
import { APPROVED, cardRequest, entryKinds, impossibleCharges } from './simulator-books.ts';

/** A simulator on a database of its own. Whatever a file did with it, its ledger must be possible at the end. */
export async function simulatorInTest(rules?: SimulatorOptions['rules']) {
  const database = await testDatabase();
  const simulator = createSimulator({ db: database.db, ...(rules && { rules }) });
  afterAll(async () => {
    expect(await impossibleCharges(database.db)).toEqual([]);
    await database.drop();
  });

  async function authorized(number = APPROVED): Promise<AuthorizeRequest> {
    const asked = cardRequest(number);
    await simulator.authorize(asked);
    return asked;
  }

  return {
    database,
    simulator,
    authorized,
    async captured(number = APPROVED): Promise<AuthorizeRequest> {
      const asked = await authorized(number);
      await simulator.capture(asked);
      return asked;
    },
    entriesOf: (ref: ChargeRef): Promise<string[]> => entryKinds(database.db, ref),
  };
}
