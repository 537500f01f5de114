import { afterAll, afterEach, expect } from 'vitest';
import type { AuthorizeRequest } from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';
import type { OpenedAccount } from '../../../apps/server/src/domain/payment/providers/base/provider.ts';
import { createMollieProvider } from '../../../apps/server/src/domain/payment/providers/mollie/mollie-provider.ts';
import { MOLLIE_KEYS_OF_DOUBLE as KEYS, startMollieDouble } from './mollie-double/mollie-double.ts';
import { misfitsOf } from './mollie-double/mollie-schemas.ts';
import { providerInTest } from './provider-in-test.ts';

/**
 * Mollie's provider on a database of its own, with its double on the wire. After each test every exchange is held against the
 * schemas of Mollie's own client.
 */
export async function mollieInTest(secretKey: string = KEYS.token) {
  const { database, nowSeconds, later, madeOf, request } = await providerInTest();
  const mollie = await startMollieDouble({ nowSeconds });
  const account: OpenedAccount = {
    accountId: KEYS.profile,
    publishableKey: KEYS.profile,
    secretKey,
    callbackSecret: null,
    isTest: secretKey === KEYS.test,
  };
  const provider = createMollieProvider({
    ...madeOf(account),
    settings: { keys: undefined, apiBase: mollie.url },
  });
  const { gateway } = provider;
  afterEach(() => {
    mollie.faults.clear();
    expect(mollie.exchanges.splice(0).flatMap(misfitsOf)).toEqual([]);
  });
  afterAll(() => mollie.close());
  return {
    database,
    mollie,
    provider,
    gateway,
    account,
    later,
    request: (more: Partial<AuthorizeRequest> = {}): AuthorizeRequest =>
      request({ kind: 'redirect', method: 'card' }, { email: 'ada@player.test', ...more }),
  };
}
