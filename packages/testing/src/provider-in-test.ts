import { afterAll } from 'vitest';
import type { AuthorizeRequest } from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';
import type { OpenedAccount } from '../../../apps/server/src/domain/payment/providers/base/provider.ts';
import { systemClock } from '../../../apps/server/src/kit/clock.ts';
import { newId } from '../../../apps/server/src/kit/ids.ts';
import { createSeal } from '../../../apps/server/src/kit/seal.ts';
import { testDatabase } from './database.ts';

/** A database of its own with a clock that a test moves, and what every provider is made of on it. */
export async function providerInTest() {
  const database = await testDatabase();
  let aheadSeconds = 0;
  const nowMs = (): number => systemClock.nowMs() + aheadSeconds * 1000;
  afterAll(() => database.drop());
  const environmentId = newId('env');
  return {
    database,
    nowMs,
    nowSeconds: (): number => Math.floor(nowMs() / 1000),
    async later(seconds: number): Promise<void> {
      aheadSeconds += seconds;
      await database.advance(seconds);
    },
    /** `account` takes every payment, and took every earlier one. */
    madeOf: (account: OpenedAccount) => ({
      version: 'test',
      watch: <G>(gateway: G): G => gateway,
      db: database.db,
      seal: createSeal(Buffer.alloc(32, 1)),
      accounts: { current: async () => account, byId: async () => account, report: async () => {} },
      onRefusal: () => {},
      // A call that gets no answer is not known at once: what follows from that is what most tests are about.
      repeats: 0,
    }),
    request: (payWith: AuthorizeRequest['payWith'], more: Partial<AuthorizeRequest> = {}): AuthorizeRequest => ({
      environmentId,
      paymentId: newId('pay'),
      orderId: newId('ord'),
      amountMinor: 1999,
      currency: 'EUR',
      payWith,
      returnUrl: 'https://shop.test/c/token',
      ...more,
    }),
  };
}
