import type { IncomingMessage } from 'node:http';
import type { HttpCall } from '@coinslot/contract';
import type { Db } from '../../db/db.ts';
import type { DbClock } from '../../db/db-clock.ts';
import type { Signals } from '../../db/signals.ts';
import type { AuthenticatedKey, KeyAuthenticator } from '../../domain/game/keys/authenticate-key.ts';
import type { RequestLog } from '../../domain/game/keys/request-log.ts';
import type { CheckoutUrlOf } from '../../domain/order/checkout-token.ts';
import type { CreateOrderCase } from '../../domain/order/create-order.ts';
import type { Simulator } from '../../domain/payment/providers/simulator/simulator.ts';
import type { WhyNotPayable } from '../../domain/payment/why-not-payable.ts';
import type { PurchaseDeps } from '../../domain/purchase/engine/purchase-deps.ts';
import type { TargetPolicy } from '../../domain/webhook/sending/target.ts';
import type { Listening } from '../../domain/webhook/tunnel/relay.ts';
import type { Handler } from '../../http/mount.ts';
import type { RateLimiter } from '../../http/rate-limit.ts';
import type { Seal } from '../../kit/seal.ts';

export type S2sContext = AuthenticatedKey;
/** Joins an endpoint to its handler, behind the check of the key. */
export type S2sMount = <const E extends HttpCall>(endpoint: E, handler: Handler<E, S2sContext>) => void;

export interface S2sDeps {
  db: Db;
  clock: DbClock;
  seal: Seal;
  signals: Signals;
  targetPolicy: TargetPolicy;
  purchasing: PurchaseDeps;
  createOrder: CreateOrderCase;
  checkoutUrlOf: CheckoutUrlOf;
  simulator: Simulator;
  listening: Listening;
  publicUrl: string;
  archiveDir: string | undefined;
  /** Why no player can pay an order as things stand. */
  whyNotPayable: WhyNotPayable;
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
