import { createHash, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { systemClock } from '../../../../apps/server/src/kit/clock.ts';
import { newId } from '../../../../apps/server/src/kit/ids.ts';
import { boundaryOf, partsOf } from '../multipart.ts';
import { createFaults } from '../stripe-double/faults.ts';
import { checkDocuments, documentsIn } from './documents.ts';
import { actionsOn } from './paypal-actions.ts';
import { CALLS } from './paypal-calls.ts';
import { type Call, type DoubleBody, type DoubleSettings, payerPage, ROUTES } from './paypal-routes.ts';
import { type Signer, usualSigner } from './paypal-signer.ts';
import { createPaypalStore, type DoubleEvent, DoubleFault } from './paypal-store.ts';
import type { Views } from './paypal-views.ts';
import { misfitsOf } from './shapes.ts';

export const PAYPAL_KEYS_OF_DOUBLE = {
  clientId: 'AdoubleClient0000000000000000000000000001',
  secret: 'EdoubleSecret0000000000000000000000000001',
};

const SCOPES = [
  'https://uri.paypal.com/services/payments/payment/authcapture',
  'https://uri.paypal.com/services/payments/refund',
  'https://uri.paypal.com/services/reporting/search/read',
  'https://uri.paypal.com/services/disputes/read-seller',
  'https://uri.paypal.com/services/disputes/update-seller',
  'https://uri.paypal.com/services/vault/payment-tokens/readwrite',
  'https://uri.paypal.com/services/applications/webhooks',
];

export interface PaypalDoubleOptions {
  nowSeconds?: () => number;
  port?: number;
  keys?: { clientId: string; secret: string };
}

interface Answer {
  status: number;
  body: string;
}

/** One call as it went over the wire. */
export interface Exchange {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  status: number;
  answer: unknown;
}

const problem = (status: number, issue: string, field: string | null, links: DoubleFault['links'] = []): Answer => ({
  status,
  body: JSON.stringify({
    name: status === 422 ? 'UNPROCESSABLE_ENTITY' : status === 404 ? 'RESOURCE_NOT_FOUND' : issue,
    message: 'The requested action could not be performed, semantically incorrect, or failed business validation.',
    debug_id: 'f00d00double',
    details: [{ issue, description: 'From the double.', ...(field !== null && { field, location: 'body' }) }],
    links,
  }),
});

const asProblem = (error: unknown): Answer =>
  error instanceof DoubleFault
    ? problem(error.status, error.issue, error.field, error.links)
    : problem(500, `INTERNAL_SERVER_ERROR ${String(error)}`, null);

/** PayPal refuses what is not in its documents; an answer that is not is a mistake of the double. */
function checkCall(name: string, body: unknown, query: URLSearchParams): void {
  const shape = CALLS.find(({ at }) => at.test(name));
  if (!shape) throw new DoubleFault(404, 'NOT_FOUND');
  const seen = shape.skipsResource ? { ...(body as object), webhook_event: { event_type: 'X' } } : body;
  const isEmpty = typeof seen === 'object' && seen !== null && Object.keys(seen).length === 0;
  if (!shape.body && !isEmpty) throw new DoubleFault(400, 'MALFORMED_REQUEST_JSON');
  const [misfit] = shape.body ? misfitsOf(shape.body, seen) : [];
  if (misfit) throw new DoubleFault(400, misfit.issue, misfit.field);
  for (const [key, value] of query) {
    if (!shape.query?.[key]?.test(value)) throw new DoubleFault(400, 'INVALID_PARAMETER_VALUE', key);
  }
}

function checkAnswer(name: string, answer: object | null): void {
  const shape = CALLS.find(({ at }) => at.test(name))?.answer;
  const misfits = shape && answer ? misfitsOf(shape, answer) : [];
  if (misfits.length > 0)
    throw new Error(`the double answers ${name} as PayPal never would: ${JSON.stringify(misfits)}`);
}

const CREATED_PATHS = /\/(?:orders|authorize|capture|reauthorize|refund|webhooks)$/;
const HOUR = 3_600;
const DAY = 86_400;

interface Kept {
  answer: Answer;
  untilSeconds: number;
}

/** Tokens, shapes, request ids, routes, and whatever fault was planned. */
function createWire(options: Required<Pick<PaypalDoubleOptions, 'nowSeconds' | 'keys'>>, views: Views, signer: Signer) {
  const { nowSeconds, keys } = options;
  const { store } = views;
  const faults = createFaults();
  const requests: string[] = [];
  const exchanges: Exchange[] = [];
  const tokens = new Map<string, number>();
  const kept = new Map<string, Kept>();
  const scopes = new Set(SCOPES);
  const settings: DoubleSettings = {
    captures: 'COMPLETED',
    mostListed: 10_000,
    refunds: 'COMPLETED',
    canVault: true,
    listedUntil: null,
    largestPage: 500,
  };

  function giveToken({ headers }: IncomingMessage, body: string): Answer {
    const basic = Buffer.from(`${keys.clientId}:${keys.secret}`).toString('base64');
    if (headers.authorization !== `Basic ${basic}` || body !== 'grant_type=client_credentials') {
      return {
        status: 401,
        body: JSON.stringify({ error: 'invalid_client', error_description: 'Client Authentication failed' }),
      };
    }
    const access_token = `A21AA${createHash('sha256').update(newId('req')).digest('hex')}`;
    tokens.set(access_token, nowSeconds() + 9 * HOUR);
    const token = {
      scope: [...scopes].join(' '),
      access_token,
      token_type: 'Bearer',
      app_id: 'APP-80W284485P519543T',
      expires_in: 9 * HOUR,
    };
    return { status: 200, body: JSON.stringify(token) };
  }

  function checkToken({ headers }: IncomingMessage): void {
    const until = tokens.get(headers.authorization?.replace('Bearer ', '') ?? '');
    if (until === undefined || until < nowSeconds()) throw new DoubleFault(401, 'AUTHENTICATION_FAILURE');
  }

  function serve(message: IncomingMessage, url: URL, body: DoubleBody): Answer {
    const name = `${message.method} ${url.pathname}`;
    checkToken(message);
    checkCall(name, body, url.searchParams);
    const requestId = message.headers['paypal-request-id'] as string | undefined;
    for (const [method, pattern, work] of ROUTES) {
      const match = method === message.method ? pattern.exec(url.pathname) : null;
      if (!match) continue;
      const asked: Call = {
        ...views,
        settings,
        params: match.slice(1),
        body,
        query: url.searchParams,
        requestId,
        verify: signer.isRight,
      };
      const answer = work(asked);
      checkAnswer(name, answer);
      if (!answer) return { status: 204, body: '' };
      const isMade = method === 'POST' && CREATED_PATHS.test(url.pathname);
      return { status: isMade ? 201 : 200, body: JSON.stringify(answer) };
    }
    throw new DoubleFault(404, 'NOT_FOUND');
  }

  /** Remembered as PayPal does: hours for orders, 45 days for payments, whatever the answer was. */
  function once(key: string | null, isOrder: boolean, work: () => Answer): Answer {
    const known = key === null ? undefined : kept.get(key);
    if (known && known.untilSeconds > nowSeconds()) return known.answer;
    const answer = work();
    // A caller that is not known to PayPal has no request ids.
    if (key !== null && answer.status !== 401)
      kept.set(key, { answer, untilSeconds: nowSeconds() + (isOrder ? 6 * HOUR : 45 * DAY) });
    return answer;
  }

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(message.url ?? '/', views.url);
    const name = `${message.method} ${url.pathname}`;
    const isForm = message.headers['content-type']?.startsWith('multipart/') ?? false;
    const raw = (await buffer(message)).toString(isForm ? 'latin1' : 'utf8');
    requests.push(name);
    const fault = faults.take(name, raw);
    if (fault?.kind === 'lose_request') return void message.socket.destroy();
    if (fault?.kind === 'answer') return send(response, problem(fault.status, `HTTP_${fault.status}`, null));
    if (fault?.kind === 'delay_before') await fault.until;
    const requestId = message.headers['paypal-request-id'];
    const key = message.method === 'POST' && requestId !== undefined ? `${name} ${String(requestId)}` : null;
    const work = (): Answer => {
      if (url.pathname === '/v1/oauth2/token') return giveToken(message, raw);
      if (fault?.kind === 'refuse')
        return problem(fault.status, fault.code ?? fault.type ?? 'INTERNAL_SERVER_ERROR', fault.param ?? null);
      try {
        const type = message.headers['content-type'] ?? '';
        if (url.pathname.endsWith('/provide-evidence') && !isForm) throw new DoubleFault(415, 'UNSUPPORTED_MEDIA_TYPE');
        return serve(message, url, parseBody(raw, type));
      } catch (error) {
        return asProblem(error);
      }
    };
    let isReplayed = true;
    const answer = once(key, url.pathname.startsWith('/v2/checkout/'), () => {
      isReplayed = false;
      return work();
    });
    if (!isReplayed) faults.onAnswer(name, raw, answer);
    if (!url.pathname.startsWith('/v1/oauth2/')) {
      exchanges.push({
        method: message.method ?? '',
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        body: raw === '' ? null : safeParse(raw),
        status: answer.status,
        answer: answer.body === '' ? null : safeParse(answer.body),
      });
    }
    if (fault?.kind === 'delay_after') await fault.until;
    if (fault?.kind === 'lose_answer') return void message.socket.destroy();
    if (fault?.kind === 'answer_after') return send(response, problem(fault.status, `HTTP_${fault.status}`, null));
    response.setHeader('date', new Date(nowSeconds() * 1000).toUTCString());
    send(response, answer);
  }

  return { handle, faults, requests, exchanges, settings, scopes, store, endTokens: () => tokens.clear() };
}

const safeParse = (raw: string): unknown => {
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
};

/** `multipart/form-data` as `{ name: JSON }`, with the documents beside it. */
function parseForm(raw: string, boundary: string): DoubleBody {
  const parts = partsOf(raw, boundary);
  const documents = documentsIn(parts.filter(({ fileName }) => fileName !== null));
  const body = Object.fromEntries(
    parts
      .filter(({ fileName }) => fileName === null)
      .map(({ name, type, content }) => {
        if (type !== 'application/json') throw new DoubleFault(400, 'MALFORMED_REQUEST_JSON');
        return [name, safeParse(Buffer.from(content, 'latin1').toString())];
      }),
  ) as DoubleBody;
  checkDocuments(body, documents);
  return body;
}

function parseBody(raw: string, type: string): DoubleBody {
  if (raw === '') return {};
  const boundary = boundaryOf(type);
  if (boundary !== null) return parseForm(raw, boundary);
  const body = safeParse(raw);
  if (typeof body !== 'object' || body === null) throw new DoubleFault(400, 'MALFORMED_REQUEST_JSON');
  return body as DoubleBody;
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', 'paypal-debug-id': 'f00d00double' });
  response.end(body);
}

/** Pages and files that are no calls. */
function sendPage(views: Views, signer: Signer, url: URL, response: ServerResponse): boolean {
  if (url.pathname === signer.certPath) {
    response.writeHead(200, { 'content-type': 'application/x-pem-file' }).end(signer.pem);
    return true;
  }
  const page = payerPage(views, url);
  if (!page) return false;
  const { status, location, html } = page;
  response.writeHead(status, { ...(location && { location }), 'content-type': 'text/html; charset=utf-8' }).end(html);
  return true;
}

function callbacksOf(views: Views, signer: Signer, nowSeconds: () => number) {
  let target: { url: string; webhookId: string } | null = null;
  let isAuto = false;
  const sent: Promise<number>[] = [];
  const headersFor = (body: string, webhookId: string): Record<string, string> => {
    const id = newId('req');
    const time = views.store.isoOf(nowSeconds());
    const message = `${id}|${time}|${webhookId}|${crc32(Buffer.from(body))}`;
    return {
      'content-type': 'application/json',
      'paypal-transmission-id': id,
      'paypal-transmission-time': time,
      'paypal-transmission-sig': sign('RSA-SHA256', Buffer.from(message), signer.key).toString('base64'),
      'paypal-cert-url': `${views.url}${signer.certPath}`,
      'paypal-auth-algo': 'SHA256withRSA',
    };
  };
  const deliver = async (event: DoubleEvent): Promise<number> => {
    const body = JSON.stringify(event);
    const answer = await fetch(target!.url, { method: 'POST', headers: headersFor(body, target!.webhookId), body });
    await answer.arrayBuffer();
    return answer.status;
  };
  views.store.onEvent = event => {
    if (isAuto) sent.push(deliver(event).catch(() => 0));
  };
  return {
    headersFor,
    /** Where callbacks go; `auto` sends each at once, else `sendEvents` does. */
    callBack(url: string, webhookId: string, { auto = false } = {}): void {
      target = { url, webhookId };
      isAuto = auto;
    },
    async sendEvents(events: DoubleEvent[] = views.store.events): Promise<number[]> {
      const statuses: number[] = [];
      for (const event of events) statuses.push(await deliver(event));
      return statuses;
    },
    settle: async (): Promise<void> => void (await Promise.all(sent)),
  };
}

/** PayPal on the wire, in memory: for tests, on loopback. */
export async function startPaypalDouble(options: PaypalDoubleOptions = {}) {
  const nowSeconds = options.nowSeconds ?? (() => Math.floor(systemClock.nowMs() / 1000));
  const keys = options.keys ?? PAYPAL_KEYS_OF_DOUBLE;
  const views: Views = { store: createPaypalStore(nowSeconds), url: '' };
  const signer = usualSigner();
  const wire = createWire({ nowSeconds, keys }, views, signer);
  const server = createServer((message, response) => {
    const url = new URL(message.url ?? '/', views.url);
    if (message.method === 'GET' && sendPage(views, signer, url, response)) return;
    wire.handle(message, response).catch(() => message.socket.destroy());
  });
  await new Promise<void>(resolve => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  views.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: views.url,
    keys,
    signer,
    ...wire,
    ...actionsOn(views),
    ...callbacksOf(views, signer, nowSeconds),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

export type PaypalDouble = Awaited<ReturnType<typeof startPaypalDouble>>;
