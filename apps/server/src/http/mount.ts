import { isUtf8 } from 'node:buffer';
import type { BodyOf, HeadersOf, HttpCall, Issue, ParamsOf, QueryOf, ResponseOf } from '@coinslot/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../kit/app-error.ts';
import { type RateLimiter, refuseFlood } from './rate-limit.ts';
import { type ParsedJson, parseStrictJson } from './strict-json.ts';
import { pointerPart } from './unknown-fields.ts';
import { bodyCheck, textCheck } from './validate.ts';

export interface Door<Context> {
  /** Returns the caller or throws `unauthorized`. Returns a promise only when it must wait, because every request runs it. */
  authenticate(request: FastifyRequest): Context | Promise<Context>;
  rateLimit?: { limiter: RateLimiter; keyOf(context: Context): string };
  /** Compiles checks and serializers with the first request, so that a door with many calls does not slow the start. */
  isPreparedLate?: boolean;
}

export interface Input<E extends HttpCall, Context> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  headers: HeadersOf<E>;
  body: BodyOf<E>;
  /** The body as it was sent, to recognize a repeated request. Empty without a body. */
  bodyText: string;
  /** JSON Pointers of ignored fields. `mount` adds them to the answer. */
  warnings: string[];
  context: Context;
  setHeader(name: string, value: string): void;
  request: FastifyRequest;
}

/** What a handler answers: nothing where the contract has no body. */
export type AnswerOf<E extends HttpCall> = ResponseOf<E> extends undefined ? Promise<void> : Promise<ResponseOf<E>>;

export type Handler<E extends HttpCall, Context> = (input: Input<E, Context>) => AnswerOf<E>;

const NOTHING: Record<string, never> = {};
const NO_WARNINGS: string[] = [];
const EMPTY_OBJECT: ParsedJson = { value: {}, inexact: false };

const UTF8_NAMES = new Set(['utf-8', 'utf8', '"utf-8"', '"utf8"']);

/** Compared part by part: a regular expression over the whole header took half a second for 15,000 spaces (row 129). */
function isJsonInUtf8(type: string): boolean {
  const [essence, parameter = '', ...more] = type
    .toLowerCase()
    .split(';', 4)
    .map(part => part.trim());
  if (essence !== 'application/json' || more.some(part => part !== '')) return false;
  const [name, value, ...rest] = parameter.split('=', 3).map(part => part.trim());
  return parameter === '' || (name === 'charset' && UTF8_NAMES.has(value ?? '') && rest.length === 0);
}

function assertJsonType({ headers }: FastifyRequest): void {
  const type = headers['content-type'];
  if (type !== 'application/json' && !isJsonInUtf8(type ?? '')) {
    throw new AppError('unsupported_media_type', { detail: 'Only application/json in UTF-8 is read.' });
  }
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
    throw new AppError('unsupported_media_type', { detail: 'A compressed body is not read.' });
  }
}

function readText(request: FastifyRequest): string {
  const bytes = request.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return '';
  assertJsonType(request);
  if (!isUtf8(bytes)) throw new AppError('invalid_json', { detail: 'The body is not valid UTF-8.' });
  return bytes.toString('utf8');
}

type ReadBody = (request: FastifyRequest) => { text: string; value: unknown; warnings: string[]; issues: Issue[] };

function bodyReader({ body, bodyOptional = false }: HttpCall): ReadBody | null {
  if (!body) return null;
  const check = bodyCheck(body);
  return request => {
    const text = readText(request);
    if (text === '' && !bodyOptional) throw new AppError('invalid_json', { detail: 'The body is empty.' });
    const parsed = text === '' ? EMPTY_OBJECT : parseStrictJson(text);
    return { text, ...check(parsed) };
  };
}

const hasIssues = (part: { issues: Issue[] } | undefined): boolean => part !== undefined && part.issues.length > 0;

const invalid = (issues: Issue[]): AppError => new AppError('validation_failed', { issues });

/** Finds unknown query parameters: a filter with a typing error would otherwise return everything without a sign. */
function unknownIn(known: object): (given: object) => string[] {
  const names = new Set(Object.keys(known));
  return given => Object.keys(given).flatMap(name => (names.has(name) ? [] : [`/${pointerPart(name)}`]));
}

type Read = 'params' | 'query' | 'headers' | 'body' | 'bodyText' | 'warnings';
type ReadInput = (
  request: FastifyRequest,
) => Record<Read, unknown> & Pick<Input<HttpCall, unknown>, 'bodyText' | 'warnings'>;

function inputReader(endpoint: HttpCall): ReadInput {
  const checkParams = endpoint.params && textCheck(endpoint.params);
  const checkQuery = endpoint.query && textCheck(endpoint.query);
  const unknownQuery = endpoint.query && unknownIn(endpoint.query.properties);
  const checkHeaders = endpoint.headers && textCheck(endpoint.headers);
  const readBodyOf = bodyReader(endpoint);
  return request => {
    const params = checkParams?.(request.params as Record<string, unknown>);
    const query = checkQuery?.(request.query as Record<string, unknown>);
    const headers = checkHeaders?.(request.headers);
    const body = readBodyOf?.(request);
    if (hasIssues(params) || hasIssues(query) || hasIssues(headers) || hasIssues(body)) {
      throw invalid([params, query, headers, body].flatMap(part => part?.issues ?? []));
    }
    return {
      params: params?.values ?? NOTHING,
      query: query?.values ?? NOTHING,
      headers: headers?.values ?? NOTHING,
      body: body?.value ?? NOTHING,
      bodyText: body?.text ?? '',
      warnings: body?.warnings ?? unknownQuery?.(request.query as object) ?? NO_WARNINGS,
    };
  };
}

type Next = (error?: Error) => void;

function admit<Context>(
  door: Door<Context>,
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  next: Next,
): void {
  request.caller = context;
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
  next();
}

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
    onRequest: doorkeeper(door),
    handler: async (request, reply) => {
      readInput ??= inputReader(endpoint);
      const read = readInput(request) as Pick<Input<E, Context>, Read>;
      const answer: unknown = await handler({
        params: read.params,
        query: read.query,
        headers: read.headers,
        body: read.body,
        bodyText: read.bodyText,
        warnings: read.warnings,
        context: request.caller as Context,
        setHeader: (name, value) => void reply.header(name, value),
        request,
      });
      reply.code(status).header('cache-control', 'no-store');
      const whole =
        read.warnings.length > 0 && typeof answer === 'object'
          ? { ...answer, warnings: [...new Set([...ownWarnings(answer), ...read.warnings])] }
          : answer;
      if (!isLate || !schema) return whole;
      reply.type('application/json; charset=utf-8');
      return reply.serializeInput(whole as Record<string, unknown>, schema as Record<string, unknown>);
    },
  });
}
