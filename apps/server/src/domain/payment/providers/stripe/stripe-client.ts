import type Stripe from 'stripe';

export type StripeClient = Stripe;

/** One client for each secret key, made when it is first needed. */
export type StripeClients = (secretKey: string) => Promise<StripeClient>;

export interface StripeClientOptions {
  /** Where Stripe answers: an origin. */
  apiBase: string;
  version: string;
}

/** Together they stay below the time for which a process holds a payment, so that no other process asks meanwhile. */
export const ASK = { timeout: 8_000 } as const;
export const CHARGE = { timeout: 22_000 } as const;

const MAX_CLIENTS = 500;

export function createStripeClients({ apiBase, version }: StripeClientOptions): StripeClients {
  const clients = new Map<string, Promise<StripeClient>>();
  const { protocol, hostname, port } = new URL(apiBase);
  const isPlain = protocol === 'http:';

  async function connect(secretKey: string): Promise<StripeClient> {
    // Loaded when the first studio takes real money: sandbox never pays for it.
    const { default: StripeApi } = await import('stripe');
    return new StripeApi(secretKey, {
      host: hostname,
      port: port === '' ? (isPlain ? 80 : 443) : Number(port),
      protocol: isPlain ? 'http' : 'https',
      // What is not known is asked again by a worker, from the row, however long it takes.
      maxNetworkRetries: 0,
      ...ASK,
      telemetry: false,
      appInfo: { name: 'Coinslot', version },
    });
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
