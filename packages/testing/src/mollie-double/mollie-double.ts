import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { systemClock } from '../../../../apps/server/src/kit/clock.ts';
import { createFaults } from '../stripe-double/faults.ts';
import { checkCapture, listedFor, readPayment, readRefund } from './mollie-rules.ts';
import { createMollieStore, DoubleFault, type DoublePayment, type MollieStore } from './mollie-store.ts';
import { isCancelable, PROFILE, type Views, viewsOf } from './mollie-views.ts';

export const MOLLIE_KEYS_OF_DOUBLE = {
  token: 'access_double00000000000000000000000001',
  live: 'live_double000000000000000000000000001',
  test: 'test_double000000000000000000000000001',
  profile: PROFILE,
};

/** One call as it went over the wire. */
export interface MollieExchange {
  method: string;
  path: string;
  /** The names alone. */
  query: string[];
  body: unknown;
  status: number;
  answer: unknown;
}

interface Answer {
  status: number;
  body: unknown;
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized Request',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

const problem = (status: number, detail: string, field: string | null): Answer => ({
  status,
  body: {
    status,
    title: TITLES[status] ?? 'Error',
    detail,
    ...(field !== null && { field }),
    _links: { documentation: { href: 'https://docs.mollie.com/reference/handling-errors', type: 'text/html' } },
  },
});

interface Call {
  store: MollieStore;
  views: Views;
  url: string;
  isToken: boolean;
  body: Record<string, unknown>;
  query: URLSearchParams;
  id: string;
  other: string;
}

function find(store: MollieStore, id: string): DoublePayment {
  const payment = store.payments.get(id);
  if (!payment) throw new DoubleFault(404, `No payment exists with token ${id}.`);
  return payment;
}

/** The newest first, from the entry that the page before ended at. */
function pageOf<Entry extends { id: string; createdAt: number }>(
  { url, query }: Call,
  path: string,
  key: string,
  entries: Iterable<Entry>,
  view: (entry: Entry) => unknown,
): Answer {
  const all = [...entries].toReversed();
  const limit = Number(query.get('limit') ?? 50);
  const start = Math.max(
    0,
    all.findIndex(({ id }) => id === query.get('from')),
  );
  const page = all.slice(start, start + limit);
  const next = all[start + limit];
  const link = (href: string) => ({ href, type: 'application/hal+json' });
  return {
    status: 200,
    body: {
      count: page.length,
      _embedded: { [key]: page.map(view) },
      _links: {
        self: link(`${url}${path}`),
        previous: null,
        next: next ? link(`${url}${path}?from=${next.id}&limit=${limit}`) : null,
        documentation: { href: 'https://docs.mollie.com/reference', type: 'text/html' },
      },
    },
  };
}

const needsToken = ({ isToken }: Call): void => {
  if (!isToken) throw new DoubleFault(403, 'Your token does not have the required permissions for this request.');
};

const settled = (asked: Call, kind: string): Answer => {
  needsToken(asked);
  const { store, id } = asked;
  const names = new Set(store.settlements.get(id) ?? []);
  const entries = {
    payments: store.payments,
    captures: store.captures,
    refunds: store.refunds,
    chargebacks: store.chargebacks,
  }[kind]!;
  const members = [...entries.values()].filter(entry => names.has(entry.id));
  return pageOf(asked, `/v2/settlements/${id}/${kind}`, kind, members, entry => viewOfMember(asked, kind, entry.id));
};

function viewOfMember({ store, views }: Call, kind: string, id: string): unknown {
  switch (kind) {
    case 'payments':
      return views.payment(find(store, id));
    case 'captures':
      return views.capture(store.captures.get(id)!);
    case 'refunds':
      return views.refund(store.refunds.get(id)!);
    default:
      return views.chargeback(store.chargebacks.get(id)!);
  }
}

type Route = readonly [at: RegExp, answer: (asked: Call) => Answer];

const ok = (body: unknown, status = 200): Answer => ({ status, body });

const ROUTES: readonly Route[] = [
  [
    /^POST \/v2\/payments$/,
    ({ store, views, body, isToken }) => {
      const payment = { ...readPayment(body, isToken), id: store.nextId('tr'), createdAt: store.nowSeconds() };
      store.payments.set(payment.id, payment);
      const { email } = (body.billingAddress ?? {}) as { email?: unknown };
      if (payment.method === 'banktransfer' && typeof email === 'string') {
        store.mails.push({ to: email, paymentId: payment.id });
      }
      return ok(views.payment(payment), 201);
    },
  ],
  [
    /^GET \/v2\/payments$/,
    asked => pageOf(asked, '/v2/payments', 'payments', asked.store.payments.values(), one => asked.views.payment(one)),
  ],
  [
    /^GET \/v2\/payments\/(\w+)$/,
    ({ store, views, id, query }) => ok(views.payment(find(store, id), query.get('embed')?.split(',') ?? [])),
  ],
  [
    /^DELETE \/v2\/payments\/(\w+)$/,
    ({ store, views, id }) => {
      const payment = find(store, id);
      if (!isCancelable(payment)) throw new DoubleFault(422, 'The payment cannot be canceled');
      payment.status = 'canceled';
      return ok(views.payment(payment));
    },
  ],
  [
    /^POST \/v2\/payments\/(\w+)\/captures$/,
    ({ store, views, id, body }) => {
      const payment = find(store, id);
      checkCapture(store, payment, body);
      return ok(views.capture(store.capture(payment)), 201);
    },
  ],
  [
    /^POST \/v2\/payments\/(\w+)\/release-authorization$/,
    ({ store, id }) => {
      const payment = find(store, id);
      if (payment.status !== 'authorized') throw new DoubleFault(422, 'The payment has no authorization to release');
      payment.status = 'canceled';
      store.notify(payment);
      return ok(null, 202);
    },
  ],
  [
    /^POST \/v2\/payments\/(\w+)\/refunds$/,
    ({ store, views, id, body }) => {
      const payment = find(store, id);
      const minor = readRefund(store, payment, body);
      return ok(
        views.refund(
          store.refund(
            payment,
            minor,
            typeof body.description === 'string' ? body.description : '',
            body.metadata ?? null,
          ),
        ),
        201,
      );
    },
  ],
  [
    /^GET \/v2\/payments\/(\w+)\/refunds\/(\w+)$/,
    ({ store, views, other }) => {
      const refund = store.refunds.get(other);
      if (!refund) throw new DoubleFault(404, `No refund exists with token ${other}.`);
      return ok(views.refund(refund));
    },
  ],
  [
    /^GET \/v2\/refunds$/,
    asked => pageOf(asked, '/v2/refunds', 'refunds', asked.store.refunds.values(), asked.views.refund),
  ],
  [
    /^GET \/v2\/chargebacks$/,
    asked => pageOf(asked, '/v2/chargebacks', 'chargebacks', asked.store.chargebacks.values(), asked.views.chargeback),
  ],
  [/^GET \/v2\/profiles\/me$/, ({ views }) => ok(views.profile())],
  [
    /^GET \/v2\/profiles\/(\w+)$/,
    ({ views, id }) => {
      if (id !== PROFILE) throw new DoubleFault(404, 'No profile exists with this token.');
      return ok(views.profile());
    },
  ],
  [
    /^GET \/v2\/methods$/,
    ({ url, query, views, store }) => {
      const inactive = store.settings.inactive;
      const listed = listedFor(query.get('amount[currency]')).filter(id => !inactive.includes(id));
      return ok({
        count: listed.length,
        _embedded: { methods: listed.map(id => views.method(id)) },
        _links: {
          self: { href: `${url}/v2/methods`, type: 'application/hal+json' },
          documentation: { href: 'https://docs.mollie.com/reference/list-methods', type: 'text/html' },
        },
      });
    },
  ],
  [
    /^GET \/v2\/balances\/primary$/,
    asked => {
      needsToken(asked);
      return ok(asked.views.balance());
    },
  ],
  [
    /^GET \/v2\/balances\/primary\/transactions$/,
    asked => {
      needsToken(asked);
      const path = '/v2/balances/primary/transactions';
      return pageOf(asked, path, 'balance_transactions', asked.store.transactions, asked.views.transaction);
    },
  ],
  ...['payments', 'captures', 'refunds', 'chargebacks'].map(
    (kind): Route => [new RegExp(`^GET /v2/settlements/(\\w+)/${kind}$`), asked => settled(asked, kind)],
  ),
];

function answerTo(name: string, asked: Omit<Call, 'id' | 'other'>): Answer {
  try {
    for (const [at, answer] of ROUTES) {
      const match = at.exec(name);
      if (match) return answer({ ...asked, id: match[1] ?? '', other: match[2] ?? '' });
    }
    throw new DoubleFault(404, 'No such resource.');
  } catch (error) {
    if (error instanceof DoubleFault) return problem(error.status, error.message, error.field);
    return problem(500, `the double broke: ${String(error)}`, null);
  }
}

export interface MollieDoubleOptions {
  nowSeconds?: () => number;
  port?: number;
}

const secondsNow = (): number => Math.floor(systemClock.nowMs() / 1000);

/** Mollie in memory: payments are paid on its own page, and nothing is sent by itself. */
export async function startMollieDouble({ nowSeconds = secondsNow, port = 0 }: MollieDoubleOptions = {}) {
  const store = createMollieStore(nowSeconds);
  const faults = createFaults();
  const exchanges: MollieExchange[] = [];
  /** Mollie repeats an answer under the same key for an hour. */
  const kept = new Map<string, { answer: Answer; untilSeconds: number }>();
  let url = '';

  function calledBy(request: IncomingMessage): { isToken: boolean; mode: 'live' | 'test' } | null {
    const [, key] = /^Bearer (\w+)$/.exec(request.headers.authorization ?? '') ?? [];
    const { token, live, test } = MOLLIE_KEYS_OF_DOUBLE;
    if (![token, live, test].includes(key ?? '')) return null;
    return { isToken: key === token, mode: key === test ? 'test' : 'live' };
  }

  function decide(request: IncomingMessage, name: string, sent: string, query: URLSearchParams): Answer {
    const caller = calledBy(request);
    if (!caller) return problem(401, 'Missing authentication, or failed to authenticate', null);
    const body: Record<string, unknown> = sent === '' ? {} : JSON.parse(sent);
    const views = viewsOf({ url, mode: caller.mode }, store);
    return answerTo(name, { store, views, url, isToken: caller.isToken, body, query });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://mollie');
    const name = `${request.method} ${pathname}`;
    if (pathname.startsWith('/checkout/')) return showCheckout(pathname.split('/')[2]!, searchParams, response);
    const sent = await text(request);
    const fault = faults.take(name, sent);
    if (fault?.kind === 'lose_request') return void request.socket.destroy();
    const key = request.headers['idempotency-key']?.toString();
    const known = key === undefined ? undefined : kept.get(key);
    let answer: Answer;
    if (known && known.untilSeconds > nowSeconds()) answer = known.answer;
    else if (fault?.kind === 'refuse' || fault?.kind === 'answer') {
      answer = problem(fault.status, 'From the double.', ('param' in fault && fault.param) || null);
    } else answer = decide(request, name, sent, searchParams);
    if (key !== undefined) kept.set(key, { answer, untilSeconds: nowSeconds() + 3_600 });
    exchanges.push({
      method: request.method!,
      path: pathname,
      query: [...searchParams.keys()],
      body: sent === '' ? null : JSON.parse(sent),
      status: answer.status,
      answer: answer.body,
    });
    if (fault?.kind === 'lose_answer') return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/hal+json' });
    response.end(answer.body === null ? '' : JSON.stringify(answer.body));
  }

  /** Mollie's page: in its test mode a person chooses there how the payment ends. */
  function showCheckout(id: string, query: URLSearchParams, response: ServerResponse): void {
    const payment = find(store, id);
    const outcome = query.get('as') as Outcome | null;
    if (outcome === null) {
      const links = ['approves', 'declines', 'cancels'].map(as => `<a href="?as=${as}">${as}</a>`).join(' ');
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Mollie’s page</h1>${links}`);
      return;
    }
    decidePayment(payment, outcome);
    const back = outcome === 'cancels' ? (payment.cancelUrl ?? payment.redirectUrl) : payment.redirectUrl;
    response.writeHead(303, { location: back }).end();
  }

  function decidePayment(payment: DoublePayment, outcome: Outcome): void {
    if (payment.status !== 'open') return;
    if (outcome === 'approves') {
      store.pay(payment);
      return;
    }
    payment.status = outcome === 'declines' ? 'failed' : 'canceled';
    payment.failureReason = outcome === 'declines' ? 'insufficient_funds' : null;
    store.notify(payment);
  }

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** By our own name of the payment. */
  const paymentOf = (paymentId: string): DoublePayment => {
    const payment = [...store.payments.values()].findLast(({ metadata }) => metadata.payment_id === paymentId);
    if (!payment) throw new Error(`the double has no payment ${paymentId}`);
    return payment;
  };

  return {
    url,
    store,
    faults,
    exchanges,
    paymentOf,
    decide: (paymentId: string, outcome: Outcome): void => decidePayment(paymentOf(paymentId), outcome),
    movementsOf: (paymentId: string): string[] =>
      [...store.payments.values()].find(({ metadata }) => metadata.payment_id === paymentId)?.movements ?? [],
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

export type Outcome = 'approves' | 'declines' | 'cancels';
export type MollieDouble = Awaited<ReturnType<typeof startMollieDouble>>;
