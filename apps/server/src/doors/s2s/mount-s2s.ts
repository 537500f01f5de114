import type { FastifyInstance } from 'fastify';
import { admitKey } from './admit-key.ts';
import { mountChaos } from './chaos.ts';
import { mountDeliveries } from './deliveries.ts';
import { mountItems } from './items.ts';
import { mountListen } from './listen.ts';
import { mountOrders } from './orders.ts';
import { mountPayments } from './payments.ts';
import { mountRequests, noteRequests } from './requests.ts';
import type { S2sDeps, S2sDoor, S2sGate } from './s2s-deps.ts';
import { mountSandbox } from './sandbox.ts';
import { mountWebhooks } from './webhooks.ts';

function createDoor(gate: S2sGate): S2sDoor {
  return {
    authenticate: request => admitKey(gate, request.headers.authorization, request.ip),
    rateLimit: { limiter: gate.keyLimiter, keyOf: context => context.keyId },
  };
}

/** Asked for every purchase; prepared before the first. */
const BUSY_PARTS = [mountOrders, mountPayments];
const QUIET_PARTS = [mountItems, mountWebhooks, mountDeliveries, mountRequests, mountSandbox, mountChaos];

/** Everything a game backend may call. */
export function mountS2s(app: FastifyInstance, deps: S2sDeps, gate: S2sGate): void {
  const door = createDoor(gate);
  noteRequests(app, gate.requestLog);
  for (const mountPart of BUSY_PARTS) mountPart(app, deps, door);
  for (const mountPart of QUIET_PARTS) mountPart(app, deps, { ...door, isPreparedLate: true });
  mountListen(app, deps, door, gate);
}
