import { afterAll, afterEach, expect } from 'vitest';
import type { Charge } from '../../../apps/server/src/domain/payment/providers/base/charge-shape.ts';
import type { AuthorizeRequest, Gateway } from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';
import type { OpenedAccount } from '../../../apps/server/src/domain/payment/providers/base/provider.ts';
import { createPaypalProvider } from '../../../apps/server/src/domain/payment/providers/paypal/paypal-provider.ts';
import { startPaypalDouble } from './paypal-double/paypal-double.ts';
import { providerInTest } from './provider-in-test.ts';

/** PayPal's provider on a database of its own, with its double on the wire. The double's clock goes with the database's. */
export async function paypalInTest() {
  const { database, nowMs, nowSeconds, later, madeOf, request: requestBy } = await providerInTest();
  const paypal = await startPaypalDouble({ nowSeconds });
  const account: OpenedAccount = {
    accountId: 'app_1',
    publishableKey: paypal.keys.clientId,
    secretKey: paypal.keys.secret,
    callbackSecret: 'WEBHOOK1',
    isTest: true,
  };
  const reported: string[] = [];
  /** Replaced: another account takes payments, and this one only knows its own. */
  const connected = { account: account as OpenedAccount | null, isReplaced: false };
  const provider = createPaypalProvider({
    ...madeOf(account),
    settings: { keys: undefined, isTest: true, apiBase: paypal.url },
    clock: { nowMs },
    accounts: {
      current: async () => (connected.isReplaced ? { ...account, accountId: 'app_2' } : connected.account),
      byId: async (_environment, id) => (id === account.accountId ? connected.account : { ...account, accountId: id }),
      report: async (_environment, _account, problem) => void reported.push(problem),
    },
  });
  const { gateway } = provider;
  afterEach(() => {
    paypal.faults.clear();
    expect(paypal.exchanges.filter(({ answer }) => JSON.stringify(answer).includes('the double answers'))).toEqual([]);
  });
  afterAll(() => paypal.close());

  const request = (more: Partial<AuthorizeRequest> = {}): AuthorizeRequest =>
    requestBy({ kind: 'redirect', method: 'paypal' }, more);
  const authorized = async (more: Partial<AuthorizeRequest> = {}): Promise<AuthorizeRequest> => {
    const asked = request(more);
    await gateway.authorize(asked);
    paypal.approve(asked.paymentId);
    expect(await gateway.lookUp(asked)).toMatchObject({ status: 'authorized' });
    return asked;
  };
  return { database, paypal, provider, gateway, account, connected, reported, request, later, authorized };
}

/** The player's part is played at once: whatever is asked of PayPal next finds the order approved. */
export function withPlayer(gateway: Gateway, approve: (request: AuthorizeRequest) => void): Gateway {
  return {
    ...gateway,
    async authorize(request): Promise<Charge> {
      const charge = await gateway.authorize(request);
      if (charge.status !== 'requires_action') return charge;
      approve(request);
      const read = await gateway.lookUp(request);
      if (!read) throw new Error('the order is gone');
      return read;
    },
  };
}
