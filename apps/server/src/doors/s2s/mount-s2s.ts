import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { mountDeliveries } from './deliveries.ts';
import { mountEvents } from './events.ts';
import { mountItems } from './items.ts';
import { mountListen } from './listen.ts';
import { mountOrders, mountPayments } from './orders.ts';
import { mountRequests, noteRequests } from './requests.ts';
import { admitKey, type S2sContext, type S2sGate, type S2sMount, type S2sShop } from './s2s-shop.ts';
import { mountChaos, mountSandbox } from './sandbox.ts';
import { mountWebhooks } from './webhooks.ts';

/** Asked for every purchase; prepared before the first. */
const BUSY_PARTS = [mountOrders, mountPayments];
const QUIET_PARTS = [mountItems, mountWebhooks, mountDeliveries, mountRequests, mountEvents, mountSandbox, mountChaos];

export function mountS2s(app: FastifyInstance, shop: S2sShop, gate: S2sGate): void {
  const mountFor =
    (isPreparedLate: boolean): S2sMount =>
    (endpoint, handler) =>
      mount<typeof endpoint, S2sContext>(app, endpoint, handler, {
        authenticate: request => admitKey(gate, request.headers.authorization, request.ip),
        rateLimit: { limiter: gate.keyLimiter, keyOf: context => context.keyId },
        budget: { limiters: shop.budgets.limiters, keyOf: context => context.environment.companyId },
        isPreparedLate,
      });
  noteRequests(app, gate.requestLog);
  for (const mountPart of BUSY_PARTS) mountPart(mountFor(false), shop);
  for (const mountPart of QUIET_PARTS) mountPart(mountFor(true), shop);
  mountListen(app, mountFor(false), shop, gate);
}
