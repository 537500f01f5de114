import type { ServerOptions as HttpServerOptions, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ERRORS, type ErrorCode, LIMITS } from '@coinslot/contract';
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
import { idsOf } from './log.ts';
import { closeAsTheyFallIdle, watchSilent } from './port.ts';
import {
  asAppError,
  mountErrorPages,
  problemHeaders,
  problemOf,
  safeHeaders,
  watchRoutes,
  writeProblem,
} from './problem.ts';
import { limitAddresses, type RateLimiter } from './rate-limit.ts';
import { readBody } from './read-body.ts';
import { asksForWebSocket } from './upgrade.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller, of the type that its door uses. */
    caller: unknown;
    /** When the door let the caller in, by a clock that is never set. */
    admittedMs: number;
    /** The error that the request was refused with, or null. */
    problem: AppError | null;
  }
}

export interface ServerOptions {
  publicUrl: string;
  logger: FastifyBaseLogger;
  /** The headers must be complete after this time, so that slow senders hold no connection. */
  headersTimeoutMs?: number;
  /** The headers and the body must be complete after this time. */
  requestTimeoutMs?: number;
  keepAliveTimeoutMs?: number;
  /** Addresses whose `X-Forwarded-For` is trusted. */
  trustProxy?: string[];
  /** Counts callers without a key by their address, before any other work for them. */
  addressLimiter?: RateLimiter;
  /** While it returns true, every answer asks its caller to open the next connection elsewhere. */
  isStopping?: () => boolean;
  /** The only path that accepts an upgrade. Java's client offers HTTP/2 with every request and is served by HTTP/1.1. */
  webSocketPath?: string;
}

const REQUEST_TIMEOUT_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Fits a sku of 255 characters, each percent-encoded in four bytes. */
const MAX_PARAM_CHARS = 255 * 12;

/** The types of Node 20 do not know the callback. */
type HttpOptions = HttpServerOptions & { shouldUpgradeCallback(request: IncomingMessage): boolean };

const REFUSED = 'request refused';

const newRequestId = (): string => newId('req');

/** Our codes for what Node's parser refuses. */
const PARSER_ERRORS: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

function refuseMalformed(error: Error & { code?: string }, socket: Socket, publicUrl: string): void {
  if (error.code === 'ECONNRESET') socket.destroy();
  else
    writeProblem(socket, new AppError(PARSER_ERRORS[error.code ?? ''] ?? 'invalid_request'), newRequestId(), publicUrl);
}

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
  // The operator should see what a provider refuses. Other refusals concern the caller alone.
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
    // The first hook checks it and answers with a problem, which Node would not.
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
    clientErrorHandler: (error, socket) => refuseMalformed(error, socket, publicUrl),
  });
}

/** The proxy and this program must read the same host from one request, so it must name exactly one. */
function hostProblem({ httpVersion, rawHeaders }: IncomingMessage): string | null {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) return 'There is more than one Host header.';
  return hosts === 0 && httpVersion === '1.1' ? 'The Host header is missing.' : null;
}

/** Covers answers that no door makes, too. */
function protectAnswers(app: FastifyInstance, publicUrl: string): void {
  const headers = safeHeaders(publicUrl);
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers);
    next();
  });
}

/** Builds the HTTP server that all doors share: request ids, limits, timeouts and one form of error. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const app = createInstance(options);
  const answerUnknownRoute = watchRoutes(app);
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
    // This comes before the body is read, because a caller need not send a body that will be refused.
    if (request.is404) {
      try {
        answerUnknownRoute(request, reply);
      } catch (error) {
        next(error as Error);
      }
      return;
    }
    next();
  });
  app.addHook('onSend', (_request, reply, payload, next) => {
    // A request on an open connection is still served, as the last one on it: a proxy must not send a payment twice.
    if (isClosing || options.isStopping?.()) reply.header('connection', 'close');
    next(null, payload);
  });
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, options.publicUrl));
  app.setNotFoundHandler(() => Promise.reject(new AppError('not_found')));

  app.decorateRequest('caller', null);
  app.decorateRequest('admittedMs', 0);
  app.decorateRequest('problem', null);
  app.decorateRequest('workMs', 0);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    readBody(payload, request.routeOptions.bodyLimit, done);
  });
  app.addContentTypeParser(['application/pdf', 'image/png', 'image/jpeg'], (request, payload, done) => {
    const { fileTypes } = request.routeOptions.config;
    const type = request.headers['content-type'] ?? '';
    if (fileTypes?.includes(type)) readBody(payload, request.routeOptions.bodyLimit, done);
    else done(new AppError('unsupported_media_type'));
  });
  mountErrorPages(app);
  // HTTP defines only 100-continue. Any other expectation may be ignored, and Node would refuse it without a problem body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return app;
}
