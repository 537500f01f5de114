import type { FastifyInstance } from 'fastify';
import type { AuthenticatedKey } from '../../domain/game/keys/authenticate-key.ts';
import { addressKey, tooManyRequests } from '../../http/rate-limit.ts';
import { AppError } from '../../kit/app-error.ts';
import { mountDeliveries } from './deliveries.ts';
import { mountItems } from './items.ts';
import { mountListen } from './listen.ts';
import { mountOrders } from './orders.ts';
import { mountPayments } from './payments.ts';
import type { S2sDeps, S2sDoor, S2sGate } from './s2s-deps.ts';
import { mountSandbox } from './sandbox.ts';
import { mountWebhooks } from './webhooks.ts';

function createDoor({ authenticateKey, keyLimiter, guessLimiter }: S2sGate): S2sDoor {
  const admit = (key: AuthenticatedKey | null, address: string): AuthenticatedKey => {
    if (key) return key;
    const allowance = guessLimiter.take(addressKey(address));
    throw allowance.allowed ? new AppError('unauthorized') : tooManyRequests(allowance);
  };
  return {
    authenticate(request) {
      // Looked at before the database is asked: an address that guesses gets little of its time.
      const isTrusted = (): boolean => guessLimiter.peek(addressKey(request.ip)).allowed;
      const found = authenticateKey(request.headers.authorization, isTrusted);
      return found instanceof Promise ? found.then(key => admit(key, request.ip)) : admit(found, request.ip);
    },
    rateLimit: { limiter: keyLimiter, keyOf: context => context.keyId },
  };
}

/** Everything a game backend may call. */
export function mountS2s(app: FastifyInstance, deps: S2sDeps, gate: S2sGate): void {
  const door = createDoor(gate);
  for (const mountPart of [mountOrders, mountPayments, mountItems, mountWebhooks, mountDeliveries, mountSandbox])
    mountPart(app, deps, door);
  mountListen(app, deps, door, gate);
}
