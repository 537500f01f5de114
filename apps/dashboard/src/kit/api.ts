import type {
  DashboardAnswer,
  DashboardRequest,
  DashboardRoute,
  DashboardRoutes,
  ErrorCode,
  Issue,
} from '@coinslot/contract';
import { language } from '../texts/texts.ts';
import { heardServer, isAway, suspectServer } from './connection.ts';
import { Problem } from './problems.ts';

let csrfToken = '';

/** Comes with the session; every change must carry it. */
export function keepToken(token: string): void {
  csrfToken = token;
}

export type RequestOf<Route extends DashboardRoute> = DashboardRequest<DashboardRoutes[Route]>;
export type AnswerOf<Route extends DashboardRoute> = DashboardAnswer<DashboardRoutes[Route]>;

type QueryValue = string | number | boolean | readonly string[] | null | undefined;

export interface PlainRequest {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, QueryValue>>;
  body?: unknown;
}

/** Fills in the `{names}` of a path; empty query values are left out. */
export function addressOf(path: string, { params = {}, query = {} }: PlainRequest): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) pairs.append(name, String(one));
  }
  const text = pairs.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

async function problemOf(response: Response): Promise<Problem> {
  const fields = await response
    .json()
    .then(body => body as { code?: ErrorCode; detail?: string; title?: string; errors?: Issue[]; request_id?: string })
    .catch(() => ({}) as Record<string, never>);
  return new Problem({
    status: response.status,
    code: fields.code ?? 'internal',
    message: fields.detail ?? fields.title ?? response.statusText,
    issues: fields.errors ?? [],
    requestId: fields.request_id ?? null,
    retryAfterSeconds: Number(response.headers.get('retry-after')) || null,
  });
}

function unreached(): Problem {
  void suspectServer();
  return new Problem({ status: 0, code: 'network', message: '' });
}

async function exchange(address: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(address, { credentials: 'same-origin', ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreached();
  }
  // Our own 503 says why in JSON; a proxy's does not.
  if (isAway(response.status) && !response.headers.get('content-type')?.includes('json')) throw unreached();
  heardServer();
  if (!response.ok) throw await problemOf(response);
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** One call, named by its route. The contract gives the types of request and answer. */
export function call<Route extends DashboardRoute>(
  route: Route,
  ...[request, signal]: Record<string, never> extends RequestOf<Route>
    ? [request?: RequestOf<Route>, signal?: AbortSignal]
    : [request: RequestOf<Route>, signal?: AbortSignal]
): Promise<AnswerOf<Route>> {
  const [method = 'GET', path = ''] = route.split(' ');
  const given = (request ?? {}) as PlainRequest;
  const init: RequestInit = {
    method,
    headers: {
      // Mails that follow from a call are written in the app's language.
      'accept-language': language,
      ...(method !== 'GET' && { 'x-csrf-token': csrfToken }),
      ...(given.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(given.body !== undefined && { body: JSON.stringify(given.body) }),
    ...(signal && { signal }),
  };
  return exchange(addressOf(path, given), init) as Promise<AnswerOf<Route>>;
}
