import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressKey, type RateLimiter, refuseFlood } from '../rate-limit.ts';

/** These are limited by their keys. */
const KEYED = '/s2s/';
/** A monitor on a shared address must not go blind. */
const FREE: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics']);
/** As much of a body as one request without any is worth. */
const BODY_BYTES = 4 * 1024;

/** A body whose length is not told is taken for the largest. */
function costOf({ headers, routeOptions }: FastifyRequest): number {
  const isChunked = headers['transfer-encoding'] !== undefined;
  const bytes = isChunked ? (routeOptions.bodyLimit ?? 0) : Number(headers['content-length'] ?? 0);
  return 1 + Math.floor(Math.min(bytes, routeOptions.bodyLimit ?? bytes) / BODY_BYTES);
}

/** Before the body is read, and before any look at the database. */
export function limitAddresses(app: FastifyInstance, limiter: RateLimiter): void {
  if (!limiter.isOn) return;
  app.addHook('onRequest', (request, _reply, next) => {
    const route = request.routeOptions.url;
    if (route?.startsWith(KEYED) || FREE.has(route)) {
      next();
      return;
    }
    const allowance = limiter.take(addressKey(request.ip), costOf(request));
    if (allowance.allowed) next();
    else refuseFlood(allowance, next);
  });
}
