import type { Attributes, Context } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../db/db.ts';
import type { Gateway } from '../domain/payment/providers/base/gateway.ts';
import type { Sender } from '../domain/webhook/sending/send.ts';
import { idsOf } from '../http/log.ts';
import { parseUrl } from '../kit/parse-url.ts';
import { aroundGateway, outcomeOf } from './around-gateway.ts';
import { type LoadedTracer, loadTracer } from './load-tracer.ts';
import type { OtlpOptions } from './otlp.ts';
import { dbWatcher, type InSpan } from './trace-db.ts';

/** Traces work that no request began, with the ids of the row that it is about. */
export type Trace = <T>(name: string, about: object, work: () => Promise<T>) => Promise<T>;

export interface Tracing {
  watchRequests(app: FastifyInstance): void;
  watchDb(db: Db, pool: string): Db;
  watchGateway<G extends Gateway>(gateway: G): G;
  watchSender(sender: Sender): Sender;
  trace: Trace;
  stop(): Promise<void>;
}

const attributesOf = (row: unknown): Attributes =>
  Object.fromEntries(Object.entries(idsOf(row)).map(([name, value]) => [`coinslot.${name}`, value]));

function spans({ api, tracer }: LoadedTracer): InSpan {
  return (name, kind, attributes, work) =>
    tracer.startActiveSpan(name, { kind, attributes }, async span => {
      try {
        return await work(span);
      } catch (error) {
        span.setStatus({ code: api.SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'thrown' });
        throw error;
      } finally {
        span.end();
      }
    });
}

function requestWatcher({ api, tracer }: LoadedTracer): Tracing['watchRequests'] {
  const { context, propagation, trace } = api;
  const entered = new WeakMap<FastifyRequest, Context>();
  const end = (request: FastifyRequest, status: number | null): void => {
    const here = entered.get(request);
    const span = here && trace.getSpan(here);
    if (!span) return;
    entered.delete(request);
    if (status !== null) span.setAttribute('http.response.status_code', status);
    if (status === null || status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
    span.end();
  };
  return app => {
    app.addHook('onRequest', (request, _reply, done) => {
      const parent = propagation.extract(api.ROOT_CONTEXT, request.headers);
      // The pattern and not the URL: a checkout URL holds the player's token.
      const route = request.routeOptions.url ?? 'none';
      const attributes = {
        'http.request.method': request.method,
        'http.route': route,
        'coinslot.request_id': request.id,
        ...attributesOf(request.params),
      };
      const span = tracer.startSpan(`${request.method} ${route}`, { kind: api.SpanKind.SERVER, attributes }, parent);
      const here = trace.setSpan(parent, span);
      entered.set(request, here);
      context.with(here, done);
    });
    // A body arrives through the socket, outside of the request's context.
    app.addHook('preValidation', (request, _reply, done) =>
      context.with(entered.get(request) ?? context.active(), done),
    );
    app.addHook('onResponse', (request, reply, done) => {
      end(request, reply.statusCode);
      done();
    });
    app.addHook('onRequestAbort', (request, done) => {
      end(request, null);
      done();
    });
  };
}

function senderWatcher({ api }: LoadedTracer, inSpan: InSpan): Tracing['watchSender'] {
  return sender => ({
    send: request => {
      const attributes = {
        'server.address': parseUrl(request.url)?.host ?? 'invalid',
        'coinslot.delivery_key': request.headers['webhook-id'] ?? '',
        'coinslot.attempt': request.headers['x-service-delivery-attempt'] ?? '',
      };
      return inSpan('webhook delivery', api.SpanKind.CLIENT, attributes, async span => {
        const headers = { ...request.headers };
        api.propagation.inject(api.context.active(), headers);
        const exchange = await sender.send({ ...request, headers });
        if (exchange.status !== null) span.setAttribute('http.response.status_code', exchange.status);
        if (exchange.failure) {
          span.setStatus({ code: api.SpanStatusCode.ERROR, message: exchange.error ?? exchange.failure });
        }
        return exchange;
      });
    },
    close: () => sender.close(),
  });
}

/** Makes spans for requests, transactions, provider calls and deliveries. The libraries are loaded only with tracing on. */
export async function startTracing(options: OtlpOptions): Promise<Tracing> {
  const loaded = await loadTracer(options);
  const { api } = loaded;
  const inSpan = spans(loaded);
  return {
    watchRequests: requestWatcher(loaded),
    watchDb: dbWatcher(loaded, inSpan),
    watchSender: senderWatcher(loaded, inSpan),
    watchGateway: gateway =>
      aroundGateway(gateway, ({ gateway: name, operation, ref }, work) =>
        inSpan(`${name} ${operation}`, api.SpanKind.CLIENT, attributesOf(ref), async span => {
          const answer = await work();
          span.setAttribute('coinslot.outcome', outcomeOf(answer));
          return answer;
        }),
      ),
    trace: (name, about, work) => inSpan(name, api.SpanKind.CONSUMER, attributesOf(about), work),
    stop: loaded.stop,
  };
}
