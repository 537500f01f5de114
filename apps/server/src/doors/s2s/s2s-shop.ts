import type { IncomingMessage } from 'node:http';
import type { HttpCall } from '@coinslot/contract';
import type { AuthenticatedKey, KeyAuthenticator } from '../../domain/game/keys/authenticate-key.ts';
import type { RequestLog } from '../../domain/game/keys/request-log.ts';
import type { CreateOrderCase } from '../../domain/order/create-order.ts';
import type { PurchaseShop } from '../../domain/purchase/engine/purchase.ts';
import type { Listening } from '../../domain/webhook/tunnel/relay.ts';
import type { StreamCounts } from '../../http/limits/stream-counts.ts';
import type { Handler } from '../../http/mount.ts';
import { type Allowance, addressKey, type RateLimiter, tooManyRequests } from '../../http/rate-limit.ts';
import { AppError } from '../../kit/app-error.ts';

export type S2sContext = AuthenticatedKey;
export type S2sMount = <const E extends HttpCall>(endpoint: E, handler: Handler<E, S2sContext>) => void;

export interface S2sShop extends PurchaseShop {
  /** The same shop on the pool of the money path. */
  purchasing: PurchaseShop;
  createOrder: CreateOrderCase;
  listening: Listening;
  /** Listeners count among the open streams of their company. */
  streamCounts: StreamCounts;
}

export interface S2sGate {
  authenticateKey: KeyAuthenticator;
  keyLimiter: RateLimiter;
  /** Counts wrong keys by address, so that guessing is slow. */
  guessLimiter: RateLimiter;
  requestLog: RequestLog;
  /** The address behind an upgrade, past the proxies that are trusted. */
  addressOf: (request: IncomingMessage) => string;
}

/**
 * Whose key it is. One that was never right here counts as a guess before the database is asked, so that guesses sent side
 * by side are counted like those one after the other; a caller who turns out to be right gets it back.
 */
export function admitKey(
  { authenticateKey, guessLimiter }: Pick<S2sGate, 'authenticateKey' | 'guessLimiter'>,
  authorization: string | undefined,
  ip: string,
): AuthenticatedKey | Promise<AuthenticatedKey> {
  let taken: Allowance | undefined;
  const count = (): Allowance => {
    taken ??= guessLimiter.take(addressKey(ip));
    return taken;
  };
  const uncount = (): void => {
    if (taken) guessLimiter.uncount(addressKey(ip));
  };
  const judge = (key: AuthenticatedKey | null): AuthenticatedKey => {
    if (key) {
      uncount();
      return key;
    }
    const allowance = count();
    throw allowance.allowed ? new AppError('unauthorized') : tooManyRequests(allowance);
  };
  const found = authenticateKey(authorization, () => count().allowed);
  if (!(found instanceof Promise)) return judge(found);
  return found.then(judge, (error: unknown) => {
    uncount();
    throw error;
  });
}
