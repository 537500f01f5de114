import { afterAll, afterEach, expect } from 'vitest';
import type { AuthorizeRequest } from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';
import type { OpenedAccount } from '../../../apps/server/src/domain/payment/providers/base/provider.ts';
import { createMollieProvider } from '../../../apps/server/src/domain/payment/providers/mollie/mollie-provider.ts';
import { systemClock } from '../../../apps/server/src/kit/clock.ts';
import { newId } from '../../../apps/server/src/kit/ids.ts';
import { createSeal } from '../../../apps/server/src/kit/seal.ts';
import { testDatabase } from './database.ts';
import { MOLLIE_KEYS_OF_DOUBLE as KEYS, startMollieDouble } from './mollie-double/mollie-double.ts';
import { misfitsOf } from './mollie-double/mollie-schemas.ts';

const ENVIRONMENT = newId('env');

/**
 * Mollie's provider on a database of its own, with its double on the wire. After each test every exchange is held against the
 * schemas of Mollie's own client.
 */
export async function mollieInTest(secretKey: string = KEYS.token) {
  const database = await testDatabase();
  let aheadSeconds = 0;
  const nowMs = (): number => systemClock.nowMs() + aheadSeconds * 1000;
  const mollie = await startMollieDouble({ nowSeconds: () => Math.floor(nowMs() / 1000) });
  const account: OpenedAccount = {
    accountId: KEYS.profile,
    publishableKey: KEYS.profile,
    secretKey,
    callbackSecret: null,
    isTest: secretKey === KEYS.test,
  };
  const provider = createMollieProvider({
    settings: { keys: undefined, apiBase: mollie.url },
    version: 'test',
    watch: gateway => gateway,
    db: database.db,
    seal: createSeal(Buffer.alloc(32, 1)),
    accounts: { current: async () => account, byId: async () => account, report: async () => {} },
    onRefusal: () => {},
    repeats: 0,
  });
  const { gateway } = provider;
  afterEach(() => {
    mollie.faults.clear();
    expect(mollie.exchanges.splice(0).flatMap(misfitsOf)).toEqual([]);
  });
  afterAll(async () => {
    await database.drop();
    await mollie.close();
  });

  const request = (more: Partial<AuthorizeRequest> = {}): AuthorizeRequest => ({
    environmentId: ENVIRONMENT,
    paymentId: newId('pay'),
    orderId: newId('ord'),
    amountMinor: 1999,
    currency: 'EUR',
    payWith: { kind: 'redirect', method: 'card' },
    returnUrl: 'https://shop.test/c/token',
    email: 'ada@player.test',
    ...more,
  });
  const later = async (seconds: number): Promise<void> => {
    aheadSeconds += seconds;
    await database.advance(seconds);
  };
  return { database, mollie, provider, gateway, account, request, later };
}
