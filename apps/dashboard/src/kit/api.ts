import type {
  DashboardAnswer,
  DashboardRequest,
  DashboardRoute,
  DashboardRoutes,
  ErrorCode,
  Issue,
} from '@coinslot/contract';
import { takeEarlyRead } from '../bootstrap/early-reads.ts';
import { language } from '../texts/texts.ts';
import { addressOf, type PlainRequest } from './address.ts';
import { checkServer, isUnavailable, markOnline } from './connection.ts';
import { Problem } from './problems.ts';
import { reauthenticate } from './reauthenticate.ts';

let csrfToken = '';

/** The session brings this token, and every change must send it. */
export function storeCsrfToken(token: string): void {
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

function offlineProblem(): Problem {
  void checkServer();
  return new Problem({ status: 0, code: 'network', message: '' });
}

async function exchange(address: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await (takeEarlyRead(address, init.method) ?? fetch(address, { credentials: 'same-origin', ...init }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw offlineProblem();
  }
  // Coinslot answers 503 with JSON. A proxy in front of it does not.
  if (isUnavailable(response.status) && !response.headers.get('content-type')?.includes('json')) throw offlineProblem();
  markOnline();
  if (!response.ok) throw await problemOf(response);
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/**
 * A session gets a new cookie when its member proves who they are. A call that left with the one before is refused before
 * anything is done, and is sent once more with what the browser has by now.
 */
async function exchangeSignedIn(address: string, init: RequestInit): Promise<unknown> {
  try {
    return await exchange(address, init);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'sign_in_required') throw error;
    return exchange(address, init);
  }
}

/** If the server wants the password or a passkey first, asks the member for it and sends the same call again. */
async function exchangeConfirmed(address: string, init: RequestInit): Promise<unknown> {
  try {
    return await exchangeSignedIn(address, init);
  } catch (error) {
    const isAsked = error instanceof Problem && error.code === 'confirmation_required';
    if (!isAsked || !(await reauthenticate())) throw error;
    return exchange(address, init);
  }
}

/** Calls one route. The contract gives the types of request and answer. */
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
      // The server writes mails that this call causes in the app's language.
      'accept-language': language,
      ...(method !== 'GET' && { 'x-csrf-token': csrfToken }),
      ...(given.body !== undefined && { 'content-type': 'application/json' }),
      ...(given.file && { 'content-type': given.file.type }),
    },
    ...(given.file && { body: given.file }),
    ...(given.body !== undefined && { body: JSON.stringify(given.body) }),
    ...(signal && { signal }),
  };
  return exchangeConfirmed(addressOf(path, given), init) as Promise<AnswerOf<Route>>;
}
