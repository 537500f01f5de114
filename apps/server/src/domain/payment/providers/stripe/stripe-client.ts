import type Stripe from 'stripe';
import type { AnsweredCall, OnAnswer } from '../base/provider.ts';

export type StripeClient = Stripe;

/** One client for each secret key, made when it is first needed. */
export type StripeClients = (secretKey: string) => Promise<StripeClient>;

export interface StripeClientOptions {
  /** Where Stripe answers: an origin. */
  apiBase: string;
  version: string;
  onAnswer?: OnAnswer | undefined;
}

/** Together they stay below the time for which a process holds a payment, so that no other process asks meanwhile. */
export const ASK = { timeout: 8_000 } as const;
export const CHARGE = { timeout: 22_000 } as const;

const answeredBy = ({ method, path, status, request_id: id }: Stripe.ResponseEvent): AnsweredCall => ({
  call: `${method} ${path.split('?')[0]}`,
  status,
  requestId: id || null,
});

const MAX_CLIENTS = 500;

const API_HOST = 'api.stripe.com';
const FILES_HOST = 'files.stripe.com';

const CLOSED: readonly unknown[] = ['ECONNRESET', 'EPIPE'];

/**
 * The package sends a request once more by itself when its connection is closed, and shows the second answer alone. After a
 * request that was done, "too many requests" to the second would look as if nothing had happened. So what changes something is
 * repeated only by us, who remember the first.
 */
function withoutHiddenRepeat(client: Stripe.HttpClient, hostname: string): Stripe.HttpClient {
  const send = client.makeRequest.bind(client);
  client.makeRequest = async (...[host, ...request]) => {
    const method = request[2];
    // Stripe has another host for files; where ours is not Stripe, it has all of them.
    const at = host === FILES_HOST && hostname !== API_HOST ? hostname : host;
    try {
      return await send(at, ...request);
    } catch (error) {
      if (method === 'GET' || !CLOSED.includes((error as { code?: unknown }).code)) throw error;
      throw Object.assign(new Error('The connection was closed.', { cause: error }), { code: 'CONNECTION_CLOSED' });
    }
  };
  return client;
}

export function createStripeClients({ apiBase, version, onAnswer }: StripeClientOptions): StripeClients {
  const clients = new Map<string, Promise<StripeClient>>();
  const { protocol, hostname, port } = new URL(apiBase);
  const isPlain = protocol === 'http:';

  async function connect(secretKey: string): Promise<StripeClient> {
    // Loaded when the first studio takes real money: sandbox never pays for it.
    const { default: StripeApi } = await import('stripe');
    const client = new StripeApi(secretKey, {
      httpClient: withoutHiddenRepeat(StripeApi.createNodeHttpClient(), hostname),
      host: hostname,
      port: port === '' ? (isPlain ? 80 : 443) : Number(port),
      protocol: isPlain ? 'http' : 'https',
      // What is not known is asked again by a worker, from the row, however long it takes.
      maxNetworkRetries: 0,
      ...ASK,
      telemetry: false,
      appInfo: { name: 'Coinslot', version },
    });
    if (onAnswer) client.on('response', (event: Stripe.ResponseEvent) => onAnswer(answeredBy(event)));
    return client;
  }

  return secretKey => {
    const known = clients.get(secretKey);
    if (known) return known;
    const client = connect(secretKey);
    clients.set(secretKey, client);
    if (clients.size > MAX_CLIENTS) clients.delete(clients.keys().next().value!);
    return client;
  };
}
