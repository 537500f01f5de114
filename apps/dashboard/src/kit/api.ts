import type {
  DashboardAnswer,
  DashboardRequest,
  DashboardRoute,
  DashboardRoutes,
  ErrorCode,
  Issue,
} from '@coinslot/contract';
import { takeFirst } from '../first/first-reads.ts';
import { language } from '../texts/texts.ts';
import { addressOf, type PlainRequest } from './address.ts';
import { askAgain } from './ask-again.ts';
import { heardServer, isAway, suspectServer } from './connection.ts';
import { Problem } from './problems.ts';

let csrfToken = '';

/** Comes with the session; every change must carry it. */
export function keepToken(token: string): void {
  csrfToken = token;
}

export type RequestOf<Route extends DashboardRoute> = DashboardRequest<DashboardRoutes[Route]>;
export type AnswerOf<Route extends DashboardRoute> = DashboardAnswer<DashboardRoutes[Route]>;

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
    response = await (takeFirst(address, init.method) ?? fetch(address, { credentials: 'same-origin', ...init }));
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

/** Where the server wants the password or a passkey first, the member is asked and the same call is sent again. */
async function exchangeProven(address: string, init: RequestInit): Promise<unknown> {
  try {
    return await exchange(address, init);
  } catch (error) {
    const isAsked = error instanceof Problem && error.code === 'confirmation_required';
    if (!isAsked || !(await askAgain())) throw error;
    return exchange(address, init);
  }
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
  return exchangeProven(addressOf(path, given), init) as Promise<AnswerOf<Route>>;
}
