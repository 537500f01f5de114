import type { AddressInfo } from 'node:net';
import { createOrder } from '@coinslot/contract';
import { createDb } from '../../apps/server/src/db/db.ts';
import {
  type AuthenticatedKey,
  createKeyAuthenticator,
} from '../../apps/server/src/domain/game/keys/authenticate-key.ts';
import { createLogger } from '../../apps/server/src/http/log.ts';
import { type Door, mount } from '../../apps/server/src/http/mount.ts';
import { createRateLimiter } from '../../apps/server/src/http/rate-limit.ts';
import { buildServer } from '../../apps/server/src/http/server.ts';
import { AppError } from '../../apps/server/src/kit/app-error.ts';
import { systemClock } from '../../apps/server/src/kit/clock.ts';
import { serveParent } from './serve-parent.ts';

const ANSWER = {
  order_id: 'ord_01k6f0n8e5w9x2y3z4a5b6c7d8',
  checkout_url: 'http://127.0.0.1:4242/c/AZnwGq0cRk6fI9aCqK3v1gGZ8BqtHEZOnyPWgqit79Y0Qk1sV2pXc3VwZXJzZWNyZXQ',
  status: 'created' as const,
  amount: 999,
  currency: 'USD',
  price_decimal: 9.99,
  discount_decimal: null,
  created_at: 1_760_000_000,
  expires_at: 1_760_086_400,
  sandbox: true,
};

/** The endpoint of order creation on the same HTTP layer, door and contract, with an answer that was made beforehand. */
async function listen(databaseUrl: string): Promise<number> {
  const db = createDb({ url: databaseUrl, maxConnections: 1, onError: () => {} });
  const authenticateKey = createKeyAuthenticator({ db, clock: systemClock });
  const admit = (key: AuthenticatedKey | null): AuthenticatedKey => {
    if (!key) throw new AppError('unauthorized');
    return key;
  };
  const door: Door<AuthenticatedKey> = {
    authenticate(request) {
      const found = authenticateKey(request.headers.authorization);
      return found instanceof Promise ? found.then(admit) : admit(found);
    },
    rateLimit: {
      limiter: createRateLimiter({ limit: 0, windowMs: 60_000, maxKeys: 1, clock: systemClock }),
      keyOf: context => context.keyId,
    },
  };
  const app = buildServer({ publicUrl: 'http://127.0.0.1', logger: createLogger('warn') });
  mount(app, createOrder, async () => ANSWER, door);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

serveParent(listen);
