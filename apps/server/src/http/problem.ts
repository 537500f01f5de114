import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERRORS, type ErrorCode, type Problem } from '@coinslot/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable, isRowLocked } from '../db/sessions/database-errors.ts';
import { AppError } from '../kit/app-error.ts';

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

const RETRY_AFTER_SECONDS = '1';

/** Our codes for errors that the framework throws. */
const FRAMEWORK_ERRORS: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'invalid_request',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
};

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** Turns everything thrown into an error of the closed list. An unexpected one is `internal` and keeps its cause for the log. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return new AppError('internal', { cause: error });
  const known = FRAMEWORK_ERRORS[codeOf(error)];
  if (known) return new AppError(known, { cause: error });
  if (isDatabaseUnavailable(error) || isRowLocked(error)) return new AppError('unavailable', { cause: error });
  if ('statusCode' in error && error.statusCode === 400) return new AppError('invalid_request', { cause: error });
  return new AppError('internal', { cause: error });
}

/** Describes this occurrence or, without a detail, the code: callers show it, so it is always there. */
function detailOf({ code, detail, issues }: AppError): string {
  if (detail !== undefined) return detail;
  if (issues) return issues.length === 1 ? 'One field is wrong.' : `${issues.length} fields are wrong.`;
  return ERRORS[code].description.replaceAll('`', '');
}

export function problemOf(error: AppError, requestId: string, publicUrl: string): Problem {
  const { status, title } = ERRORS[error.code];
  return {
    type: `${publicUrl}/errors/${error.code}`,
    title,
    status,
    // An internal error shows the request id and nothing else.
    ...(error.code === 'internal' ? {} : { detail: detailOf(error) }),
    code: error.code,
    request_id: requestId,
    ...(error.issues ? { errors: error.issues } : {}),
  };
}

export function problemHeaders(error: AppError): Record<string, string> {
  const status: number = ERRORS[error.code].status;
  return {
    'content-type': PROBLEM_TYPE,
    'cache-control': 'no-store',
    ...(error.code === 'unauthorized' ? { 'www-authenticate': 'Bearer' } : {}),
    ...(status === 503 ? { 'retry-after': RETRY_AFTER_SECONDS } : {}),
    ...error.headers,
  };
}

const YEAR_SECONDS = 31_536_000;

/** Keep a browser from guessing the type of an answer and, after its first visit with TLS, from coming back without. */
export const safeHeaders = (publicUrl: string): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
});

/** Writes a problem to a connection that has no response object, and ends it: what follows on it cannot be trusted. */
export function writeProblem(socket: Socket, error: AppError, requestId: string, publicUrl: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status } = ERRORS[error.code];
  const body = JSON.stringify(problemOf(error, requestId, publicUrl));
  const headers = {
    ...safeHeaders(publicUrl),
    ...problemHeaders(error),
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);

/** Serves the page that the `type` of a problem links to: what the code means, and what to do. */
export function mountErrorPages(app: FastifyInstance): void {
  app.get<{ Params: { code: string } }>('/errors/:code', (request, reply) => {
    const { code } = request.params;
    if (!isErrorCode(code)) throw new AppError('not_found');
    const { status, title, description, whatToDo } = ERRORS[code];
    return reply
      .type('text/plain; charset=utf-8')
      .send(`${code} (${status})\n\n${title}.\n\n${description}\n\nWhat to do: ${whatToDo}\n`);
  });
}

interface Route {
  path: RegExp;
  methods: Set<string>;
}

function pattern(route: string): RegExp {
  const parts = route.split('/').map(part => {
    if (part.startsWith(':')) return '[^/]+';
    return part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  });
  return new RegExp(`^${parts.join('/')}$`);
}

function methodsAt(path: string, routes: Iterable<Route>): string[] {
  const allowed = new Set<string>();
  for (const route of routes) {
    if (route.path.test(path)) for (const method of route.methods) allowed.add(method);
  }
  return [...allowed].toSorted((a, b) => (a < b ? -1 : 1));
}

/**
 * Remembers every route, because the router cannot distinguish a wrong method (405) from a wrong path (404). Must be called
 * before the routes are added. The function that it returns answers a request for which no route was found.
 */
export function watchRoutes(app: FastifyInstance): (request: FastifyRequest, reply: FastifyReply) => void {
  const routes = new Map<string, Route>();
  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { path: pattern(url), methods: new Set() };
    for (const name of Array.isArray(method) ? method : [method]) route.methods.add(name);
    routes.set(url, route);
  });
  return (request, reply) => {
    const allowed = methodsAt(request.url.split('?', 1)[0] ?? '', routes.values());
    if (allowed.length === 0) throw new AppError('not_found');
    const allow = [...allowed, 'OPTIONS'].join(', ');
    if (request.method === 'OPTIONS') void reply.code(204).header('allow', allow).send();
    else throw new AppError('method_not_allowed', { detail: `This path takes ${allow}.`, headers: { allow } });
  };
}
