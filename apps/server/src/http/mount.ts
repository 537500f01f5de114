import { Readable } from 'node:stream';
import type { HttpCall, ResponseOf } from '@coinslot/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../kit/app-error.ts';
import { steadyMs } from '../kit/clock.ts';
import type { Budgets } from './limits/budgets.ts';
import { timeWork } from './limits/request-work.ts';
import { type Allowance, bodyBytes, DELAY_SPENT_MS, delayAnswer, type RateLimiter, refuseFlood } from './rate-limit.ts';
import { type Input, inputReader, type Read } from './read-input.ts';

export interface Door<Context> {
  /** Returns the caller or throws `unauthorized`. Returns a promise only when it must wait, because every request runs it. */
  authenticate(request: FastifyRequest): Context | Promise<Context>;
  rateLimit?: { limiter: RateLimiter; keyOf(context: Context): string };
  /** What all callers of one company share; null where a call belongs to none. */
  budget?: { limiters: Pick<Budgets['limiters'], 'requests' | 'storage'>; keyOf(context: Context): string | null };
  /** As how many plain requests one call counts for its address. */
  cost?: number;
  /** Compiles checks and serializers with the first request, so that a door with many calls does not slow the start. */
  isPreparedLate?: boolean;
}

/** What a handler answers: nothing where the contract has no body, and its text where that is too long to be made in one piece. */
export type AnswerOf<E extends HttpCall> =
  ResponseOf<E> extends undefined ? Promise<void> : Promise<ResponseOf<E> | Readable>;

export type Handler<E extends HttpCall, Context> = (input: Input<E, Context>) => AnswerOf<E>;

const JSON_TYPE = 'application/json; charset=utf-8';

type Next = (error?: Error) => void;

const BYTES_IN_KB = 1024;
/** What a call writes beside its body: its entry in the audit log, its rows and their indexes. */
const KB_BESIDE = 1;

/** What the company has no budget for; null: it may go on. */
function overBudget<Context>({ budget }: Door<Context>, context: Context, request: FastifyRequest): Allowance | null {
  const { requests, storage } = budget?.limiters ?? {};
  const tenant = requests?.isOn || storage?.isOn ? budget!.keyOf(context) : null;
  if (tenant === null) return null;
  const asked = requests!.isOn ? requests!.take(tenant) : null;
  if (asked?.allowed === false) return asked;
  if (!storage!.isOn || request.method === 'GET') return null;
  const written = storage!.take(tenant, KB_BESIDE + Math.floor(bodyBytes(request) / BYTES_IN_KB));
  return written.allowed ? null : written;
}

function admit<Context>(
  door: Door<Context>,
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  next: Next,
): void {
  request.caller = context;
  request.admittedMs = steadyMs();
  const limit = door.rateLimit;
  if (limit?.limiter.isOn) {
    const allowance = limit.limiter.take(limit.keyOf(context));
    if (!allowance.allowed) {
      refuseFlood(allowance, next);
      return;
    }
    reply
      .header('ratelimit-limit', allowance.limit)
      .header('ratelimit-remaining', allowance.remaining)
      .header('ratelimit-reset', allowance.resetSeconds);
  }
  const refused = overBudget(door, context, request);
  if (refused) refuseFlood({ ...refused, isFlood: true }, next, DELAY_SPENT_MS);
  else next();
}

/** A body that comes later than this was held back, or its way is slow. */
const LATE_BODY_MS = 1_000;

/**
 * The caller was let in before its body was read, which may take half a minute. Who holds a body back must not act with a key or a
 * session that has ended meanwhile (row 279).
 */
const callerNow = <Context>(door: Door<Context>, request: FastifyRequest): Context | Promise<Context> =>
  request.method !== 'GET' && steadyMs() - request.admittedMs > LATE_BODY_MS
    ? door.authenticate(request)
    : (request.caller as Context);

/** Runs before the body is read, so that a caller without a key or over its limit need not send one. */
function doorkeeper<Context>(door: Door<Context>) {
  return (request: FastifyRequest, reply: FastifyReply, next: Next): void => {
    let caller: Context | Promise<Context>;
    try {
      caller = door.authenticate(request);
    } catch (error) {
      next(error as Error);
      return;
    }
    if (caller instanceof Promise) caller.then(context => admit(door, context, request, reply, next), next);
    else admit(door, caller, request, reply, next);
  };
}

/**
 * A handler that refuses a request over a limit has already read it and asked the database. Without the delay a flood of such
 * requests would take time from every other caller.
 */
async function refuseSlowly(error: unknown): Promise<never> {
  if (error instanceof AppError && error.code === 'rate_limited') await delayAnswer(DELAY_SPENT_MS);
  throw error;
}

const ownWarnings = (answer: object | null): string[] =>
  answer !== null && 'warnings' in answer && Array.isArray(answer.warnings) ? answer.warnings : [];

/** `/orders/{order_id}` becomes `/orders/:order_id`, as the router writes it. */
const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Joins an endpoint of the contract to its handler: door, limits, validation, status and serialization. */
export function mount<const E extends HttpCall, Context>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E, Context>,
  door: Door<Context>,
): void {
  const { status, schema } = endpoint.response;
  const isLate = door.isPreparedLate ?? false;
  let readInput = isLate ? undefined : inputReader(endpoint);
  app.route({
    method: endpoint.method,
    url: routePath(endpoint.path),
    schema: schema && !isLate ? { response: { [status]: schema } } : {},
    config: { cost: door.cost ?? 1, ...(endpoint.file && { fileTypes: endpoint.file.types }) },
    ...(endpoint.file && { bodyLimit: endpoint.file.mostBytes }),
    onRequest: doorkeeper(door),
    handler: async (request, reply) => {
      readInput ??= inputReader(endpoint);
      const read = timeWork(request, () => readInput!(request)) as Pick<Input<E, Context>, Read>;
      const caller = callerNow(door, request);
      const context = caller instanceof Promise ? await caller : caller;
      request.caller = context;
      const asked = handler({
        params: read.params,
        query: read.query,
        headers: read.headers,
        body: read.body,
        bodyText: read.bodyText,
        warnings: read.warnings,
        context,
        setHeader: (name, value) => void reply.header(name, value),
        request,
      });
      const answer: unknown = await asked.catch(refuseSlowly);
      reply.code(status).header('cache-control', 'no-store');
      if (answer instanceof Readable) {
        if (schema) reply.type(JSON_TYPE);
        return answer;
      }
      const whole =
        read.warnings.length > 0 && schema && typeof answer === 'object'
          ? { ...answer, warnings: [...new Set([...ownWarnings(answer), ...read.warnings])] }
          : answer;
      if (!isLate || !schema) return whole;
      reply.type(JSON_TYPE);
      return reply.serializeInput(whole as Record<string, unknown>, schema as Record<string, unknown>);
    },
  });
}
