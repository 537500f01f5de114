import type { ServerOptions as HttpServerOptions, IncomingMessage } from 'node:http';
import { ERRORS, LIMITS } from '@coinslot/contract';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { AppError } from '../kit/app-error.ts';
import { newId } from '../kit/ids.ts';
import { watchRoutes } from './allowed-methods.ts';
import { limitAddresses } from './limits/limit-addresses.ts';
import { idsOf } from './log.ts';
import { refuseMalformed } from './malformed-request.ts';
import { asAppError, mountErrorPages, problemHeaders, problemOf, safeHeaders } from './problem.ts';
import type { RateLimiter } from './rate-limit.ts';
import { readBody } from './read-body.ts';
import { closeAsTheyFallIdle, watchSilent } from './stopping.ts';
import { asksForWebSocket } from './upgrade.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller; each door knows what it put there. */
    caller: unknown;
    /** What it was refused with; null while it was not. */
    problem: AppError | null;
  }
}

export interface ServerOptions {
  /** Where the service is reached, without a slash at the end. */
  publicUrl: string;
  logger: FastifyBaseLogger;
  /** Headers must be complete after this, so that slow senders hold no connection. */
  headersTimeoutMs?: number;
  /** Headers and body must be complete after this. */
  requestTimeoutMs?: number;
  keepAliveTimeoutMs?: number;
  /** From these addresses `X-Forwarded-For` is believed. */
  trustProxy?: string[];
  /** Counts callers without a key by their address, before anything else is done for them. */
  addressLimiter?: RateLimiter;
  /** While it is true every answer asks its caller to open the next connection elsewhere. */
  isStopping?: () => boolean;
  /** The one place where another protocol is spoken. Java's client offers HTTP/2 with every request, and is served as ever. */
  webSocketPath?: string;
}

const REQUEST_TIMEOUT_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** A sku of 255 characters, each percent-encoded in four bytes. */
const MAX_PARAM_CHARS = 255 * 12;

/** The last is not known to the types of Node 20. */
type HttpOptions = HttpServerOptions & { shouldUpgradeCallback(request: IncomingMessage): boolean };

const REFUSED = 'request refused';

const newRequestId = (): string => newId('req');

function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, publicUrl: string): void {
  const problem = asAppError(error);
  const { status } = ERRORS[problem.code];
  request.problem = problem;
  // The pattern and not the URL: a checkout URL holds the player's token.
  const where = {
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    status,
    ...idsOf(request.params),
  };
  if (status >= 500) request.log.error({ ...where, err: problem.cause ?? problem }, 'request failed');
  // What a provider refuses is for the operator to see, all else is the caller's.
  else request.log[problem.code.startsWith('provider_') ? 'warn' : 'debug']({ ...where, code: problem.code }, REFUSED);
  void reply
    .code(status)
    .headers({ ...safeHeaders(publicUrl), 'x-request-id': request.id, ...problemHeaders(problem) })
    .send(JSON.stringify(problemOf(problem, request.id, publicUrl)));
}

function createInstance(options: ServerOptions): FastifyInstance {
  const {
    publicUrl,
    logger,
    headersTimeoutMs = 15_000,
    requestTimeoutMs = REQUEST_TIMEOUT_MS,
    keepAliveTimeoutMs = 72_000,
  } = options;
  const http: HttpOptions = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: Math.min(5_000, headersTimeoutMs),
    insecureHTTPParser: false,
    // Node would refuse in its own words; the first hook does it in ours.
    requireHostHeader: false,
    shouldUpgradeCallback: request => asksForWebSocket(request, options.webSocketPath),
  };
  return fastify({
    http,
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    // Ids from outside could make two requests look like one in the log.
    requestIdHeader: false,
    bodyLimit: LIMITS.bodyBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: options.trustProxy?.length ? options.trustProxy : false,
    routerOptions: { maxParamLength: MAX_PARAM_CHARS },
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply, publicUrl),
    clientErrorHandler: (error, socket) => refuseMalformed(error, socket, newRequestId(), publicUrl),
  });
}

function answerUnknownRoute(
  request: FastifyRequest,
  reply: FastifyReply,
  allowedMethods: (url: string) => string[],
): void {
  const allowed = allowedMethods(request.url);
  if (allowed.length === 0) throw new AppError('not_found');
  const allow = [...allowed, 'OPTIONS'].join(', ');
  if (request.method === 'OPTIONS') {
    void reply.code(204).header('allow', allow).send();
    return;
  }
  throw new AppError('method_not_allowed', { detail: `This path takes ${allow}.`, headers: { allow } });
}

/** Two readers of one request must see the same host: the proxy in front, and this program. */
function hostProblem({ httpVersion, rawHeaders }: IncomingMessage): string | null {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) return 'There is more than one Host header.';
  return hosts === 0 && httpVersion === '1.1' ? 'The Host header is missing.' : null;
}

/** On every answer, also those that no door has made. */
function protectAnswers(app: FastifyInstance, publicUrl: string): void {
  const headers = safeHeaders(publicUrl);
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers);
    next();
  });
}

/** The HTTP server all doors share: request ids, limits, time limits and one way to say what went wrong. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const app = createInstance(options);
  const allowedMethods = watchRoutes(app);
  const silent = watchSilent(app);
  let isClosing = false;

  // A child logger for each request costs more than most requests need; lines about a request name its id themselves.
  app.setChildLoggerFactory(logger => logger);
  app.addHook('preClose', done => {
    isClosing = true;
    closeAsTheyFallIdle(app, silent, options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS);
    done();
  });
  protectAnswers(app, options.publicUrl);
  if (options.addressLimiter) limitAddresses(app, options.addressLimiter);
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id);
    const detail = hostProblem(request.raw);
    if (detail !== null) {
      next(new AppError('invalid_request', { detail, headers: { connection: 'close' } }));
      return;
    }
    // Before the body is read: a body that will be refused need not be sent.
    if (request.is404) {
      try {
        answerUnknownRoute(request, reply, allowedMethods);
      } catch (error) {
        next(error as Error);
      }
      return;
    }
    next();
  });
  app.addHook('onSend', (_request, reply, payload, next) => {
    // What came on an open connection is still served, and is the last on it: a proxy may not send a payment twice.
    if (isClosing || options.isStopping?.()) reply.header('connection', 'close');
    next(null, payload);
  });
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, options.publicUrl));
  app.setNotFoundHandler(() => Promise.reject(new AppError('not_found')));

  app.decorateRequest('caller', null);
  app.decorateRequest('problem', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    readBody(payload, request.routeOptions.bodyLimit, done);
  });
  mountErrorPages(app);
  // The only expectation that means something is 100-continue. Another one may be ignored; Node would answer it in its own words.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return app;
}
