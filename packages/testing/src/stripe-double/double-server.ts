import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { DoubleError, invalid, missing } from './double-error.ts';
import { createFaults } from './faults.ts';
import { readFileForm } from './files.ts';
import { readForm } from './form-body.ts';
import { createIdempotency, type KeptAnswer } from './idempotency.ts';
import { checkParams } from './known-params.ts';
import { ROUTES } from './routes.ts';
import type { Store } from './store.ts';

export const TEST_KEYS = {
  secret: 'sk_test_Double0001',
  publishable: 'pk_test_Double0001',
  callback: 'whsec_Double0001',
};
export const REVOKED_KEY = 'sk_test_Revoked0001';
export const LIVE_KEY = 'sk_live_Double0001';
/** Of another account. */
export const OTHER_KEY = 'sk_test_Double0002';
const RESTRICTED = /^rk_/;

export const FOREIGN_PUBLISHABLE_KEY = 'pk_test_Foreign0001';

const CURRENCIES = new Set(['usd', 'eur', 'aud', 'krw', 'gbp', 'jpy', 'isk', 'mxn']);

/** What a browser may ask for: a payment whose secret it has, of its own account. */
const FOR_BROWSERS = /^GET \/v1\/payment_intents\/\w+$/;
const PUBLISHABLE = /^pk_/;

function checkKey(header: string | undefined, request: string): { livemode: boolean; accountId: string } {
  const key = /^Bearer (.+)$/.exec(header ?? '')?.[1] ?? '';
  if (PUBLISHABLE.test(key) && FOR_BROWSERS.test(request)) {
    if (key === FOREIGN_PUBLISHABLE_KEY) throw missing('payment_intent', 'pi', 'intent', false);
    return { livemode: false, accountId: 'acct_Double0001' };
  }
  if (key === REVOKED_KEY) {
    throw new DoubleError(401, { type: 'invalid_request_error', code: 'api_key_expired', message: 'Expired API Key.' });
  }
  if (RESTRICTED.test(key)) {
    throw new DoubleError(403, {
      type: 'invalid_request_error',
      message:
        "The provided key 'rk_test_*********ted1' does not have the required permissions. Having the 'rak_accounts_read' permission would allow this.",
    });
  }
  if (key !== TEST_KEYS.secret && key !== LIVE_KEY && key !== OTHER_KEY) {
    throw new DoubleError(401, { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_****' });
  }
  return { livemode: key === LIVE_KEY, accountId: `acct_${key.slice('sk_test_'.length)}` };
}

const asAnswer = (error: unknown): KeptAnswer & { isEarly: boolean } => {
  const fault =
    error instanceof DoubleError ? error : new DoubleError(500, { type: 'api_error', message: String(error) });
  return { status: fault.status, body: JSON.stringify({ error: fault.body }), isEarly: fault.isEarly };
};

function faultAnswer(status: number): KeptAnswer {
  const bodies: Record<number, Record<string, unknown>> = {
    402: { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline' },
    409: { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'In use.' },
    429: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests.' },
  };
  return asAnswer(
    new DoubleError(status, bodies[status] ?? { type: 'api_error', message: 'An unknown error occurred.' }),
  );
}

function send(response: ServerResponse, { status, body }: KeptAnswer, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_double', ...headers });
  response.end(body);
}

export interface DoubleSettings {
  /** What the account can do, where it was asked for. */
  capabilities: Record<string, string>;
  /** Wallets that are not active on a registered address. */
  /** Of the business. */
  country: string;
  inactiveWallets: string[];
  /** Why Stripe takes no payments for the account. */
  disabledReason?: string | null;
  slowRefunds: boolean;
  largestPage: number;
  searchLagSeconds: number | null;
  /** In which it answers, whatever was asked for. */
  apiVersion?: string;
  /** How far its clock is ahead of ours. */
  clockOffSeconds: number;
}

/** The wire: keys, form encoding, routes, idempotency, and whatever fault was planned. */
export function createDoubleServer(store: Store, settings: DoubleSettings) {
  const faults = createFaults();
  const idempotency = createIdempotency();
  const requests: string[] = [];

  async function answer(message: IncomingMessage, path: string, query: string, body: string): Promise<KeptAnswer> {
    const { livemode, accountId } = checkKey(message.headers.authorization, `${message.method} ${path}`);
    const form = readFileForm(body, message.headers['content-type'] ?? '');
    const fields = form?.fields ?? readForm(message.method === 'GET' ? query : body);
    checkParams(`${message.method} ${path}`, fields);
    const asked = { store, rules: { currencies: CURRENCIES }, livemode, accountId, fields, file: form?.file ?? null };
    for (const [method, pattern, serve] of ROUTES) {
      const match = method === message.method ? pattern.exec(path) : null;
      if (!match) continue;
      const foreign = match.slice(1).find(id => !store.isSeenBy(accountId, id));
      if (foreign !== undefined) throw missing('object', foreign, 'id', false);
      store.acting = accountId;
      try {
        const object = serve({ ...asked, ...settings, params: match.slice(1) });
        return { status: 200, body: JSON.stringify(object) };
      } finally {
        store.acting = null;
      }
    }
    throw invalid(`Unrecognized request URL (${message.method}: ${path}).`);
  }

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '', query = ''] = (message.url ?? '').split('?');
    const name = `${message.method} ${path}`;
    const bytes = await buffer(message);
    const isFile = message.headers['content-type']?.startsWith('multipart/') ?? false;
    const body = bytes.toString(isFile ? 'latin1' : 'utf8');
    requests.push(name);
    const fault = faults.take(name, body);
    if (fault?.kind === 'lose_request') return void message.socket.destroy();
    if (fault?.kind === 'answer') {
      if (fault.retryAfterSeconds) response.setHeader('retry-after', fault.retryAfterSeconds);
      return send(response, faultAnswer(fault.status));
    }
    if (fault?.kind === 'delay_before') await fault.until;
    const key = message.method === 'POST' ? (message.headers['idempotency-key'] as string | undefined) : undefined;
    const work = (): Promise<KeptAnswer & { isEarly?: boolean }> =>
      fault?.kind === 'refuse'
        ? Promise.resolve(
            asAnswer(new DoubleError(fault.status, { type: fault.type, code: fault.code, param: fault.param })),
          )
        : answer(message, path, query, body).catch(asAnswer);
    const made = await idempotency
      .run(key, `${name} ${body}`, work)
      .catch((error: unknown) => ({ answer: asAnswer(error), isReplayed: false }));
    if (!made.isReplayed) faults.onAnswer(name, body, made.answer);
    if (fault?.kind === 'delay_after') await fault.until;
    if (fault?.kind === 'lose_answer') return void message.socket.destroy();
    if (fault?.kind === 'answer_after') return send(response, faultAnswer(fault.status));
    const version = settings.apiVersion ?? message.headers['stripe-version'];
    send(response, made.answer, {
      ...(made.isReplayed && { 'idempotent-replayed': 'true' }),
      ...(typeof version === 'string' && { 'stripe-version': version }),
      date: new Date((store.nowSeconds() + settings.clockOffSeconds) * 1000).toUTCString(),
    });
  }

  const server: Server = createServer((message, response) => {
    handle(message, response).catch(() => message.socket.destroy());
  });
  return { server, faults, requests };
}
