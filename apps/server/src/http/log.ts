import type { FastifyInstance } from 'fastify';
import { type DestinationStream, destination, type LogFn, type Logger, pino, stdSerializers } from 'pino';
import { scrub } from './scrub.ts';

/** Logs lines of JSON. Secrets are removed from every value, however deep, and from error messages. */
export function createLogger(level: string, output?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    serializers: { err: (error: unknown) => scrub(error instanceof Error ? stdSerializers.err(error) : error) },
    hooks: {
      // Without this, pino would log the message of a lone error unscrubbed.
      logMethod(this: Logger, given: Parameters<LogFn>, method: LogFn) {
        const [first, ...rest] = given as unknown[];
        const error = first instanceof Error ? first : (first as { err?: unknown } | null)?.err;
        const words = rest.length === 0 && error instanceof Error ? [error.message] : rest;
        const args = [first === error && error instanceof Error ? { err: error } : first, ...words];
        method.apply(this, args.map(arg => (typeof arg === 'string' ? scrub(arg) : arg)) as Parameters<LogFn>);
      },
    },
    formatters: { log: (line: Record<string, unknown>) => scrub(line) as Record<string, unknown> },
  };
  return output ? pino(options, output) : pino(options);
}

/** Standard output, and a second reader of every line. */
export function besideOutput(second: DestinationStream): DestinationStream {
  const output = destination({ fd: 1, sync: true });
  return {
    write(line) {
      output.write(line);
      second.write(line);
    },
  };
}

const ID_NAMES: Readonly<Record<string, string>> = {
  dlv: 'delivery_id',
  pay: 'payment_id',
  job: 'job_id',
  ord: 'order_id',
};

/** Picks the ids of a row for a log line, and never its content. */
export function idsOf(row: unknown): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const [name, value] of Object.entries(row ?? {})) {
    if (typeof value !== 'string') continue;
    if (name === 'id') ids[ID_NAMES[value.slice(0, value.indexOf('_'))] ?? 'id'] = value;
    if (name === 'environmentId') ids.environment_id = value;
    if (name === 'orderId' || name === 'order_id') ids.order_id = value;
    if (name === 'paymentId') ids.payment_id = value;
  }
  return ids;
}

/** Logs one line for each answer, at the level `debug`. */
export function logAnswers(app: FastifyInstance, logger: Logger): void {
  if (!logger.isLevelEnabled('debug')) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method, params } = request;
    // The pattern and not the URL: a checkout URL holds the player's token.
    const route = request.routeOptions.url ?? 'none';
    const line = {
      request_id: id,
      method,
      route,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime),
    };
    logger.debug({ ...line, ...idsOf(params) }, 'answered');
    done();
  });
}
