import type { FastifyInstance, FastifyReply } from 'fastify';
import { Gauge, type Registry } from 'prom-client';
import { createSlots } from '../kit/collections.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its slot among the requests without an answer. */
    openSlot: number;
  }
}

/** After this time the caller, or a proxy before it, is about to give up. */
const LATE_MS = 10_000;

/** Counts requests without an answer yet. A stream that is being sent counts as answered. */
export function watchInFlight(registry: Registry): (app: FastifyInstance) => void {
  const open = createSlots<FastifyReply>();
  const unanswered = (): FastifyReply[] => [...open].filter(({ raw }) => !raw.headersSent);
  const gauge = new Gauge({
    name: 'coinslot_http_requests_in_flight',
    help: 'Requests without an answer yet, and those of them that came more than 10 s ago.',
    labelNames: ['age'],
    registers: [],
    collect() {
      const waiting = unanswered();
      this.set({ age: 'any' }, waiting.length);
      this.set({ age: 'over_10s' }, waiting.filter(({ elapsedTime }) => elapsedTime > LATE_MS).length);
    },
  });
  registry.registerMetric(gauge);
  return app => {
    app.decorateRequest('openSlot', -1);
    app.addHook('onRequest', (request, reply, done) => {
      request.openSlot = open.put(reply);
      done();
    });
    app.addHook('onResponse', (request, _reply, done) => {
      open.clear(request.openSlot);
      request.openSlot = -1;
      done();
    });
  };
}
