import type { FastifyRequest } from 'fastify';
import { steadyMs } from '../../kit/clock.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** How long this request has kept every other from being served. */
    workMs: number;
  }
}

/** Does work that nothing interrupts, and adds its time to what the request costs its address. */
export function timeWork<Result>(request: FastifyRequest, work: () => Result): Result {
  const startedMs = steadyMs();
  try {
    return work();
  } finally {
    request.workMs += steadyMs() - startedMs;
  }
}
