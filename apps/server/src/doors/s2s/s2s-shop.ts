import type { IncomingMessage } from 'node:http';
import type { HttpCall } from '@coinslot/contract';
import type { AuthenticatedKey, KeyAuthenticator } from '../../domain/game/keys/authenticate-key.ts';
import type { RequestLog } from '../../domain/game/keys/request-log.ts';
import type { CreateOrderCase } from '../../domain/order/create-order.ts';
import type { PurchaseShop } from '../../domain/purchase/engine/purchase.ts';
import type { Listening } from '../../domain/webhook/tunnel/relay.ts';
import type { Handler } from '../../http/mount.ts';
import type { RateLimiter } from '../../http/rate-limit.ts';

export type S2sContext = AuthenticatedKey;
/** Joins an endpoint to its handler, behind the check of the key. */
export type S2sMount = <const E extends HttpCall>(endpoint: E, handler: Handler<E, S2sContext>) => void;

export interface S2sShop extends PurchaseShop {
  /** The same shop on the pool of the money path. */
  purchasing: PurchaseShop;
  createOrder: CreateOrderCase;
  listening: Listening;
}

export interface S2sGate {
  authenticateKey: KeyAuthenticator;
  keyLimiter: RateLimiter;
  /** Counts wrong keys by address, so that guessing is slow. */
  guessLimiter: RateLimiter;
  /** What was asked with each key lately. */
  requestLog: RequestLog;
  /** The address behind an upgrade, past the proxies that are trusted. */
  addressOf: (request: IncomingMessage) => string;
}
