import type { Clock } from '../../../../../kit/clock.ts';
import { singleFlight } from '../../../../../kit/concurrency.ts';
import { ProviderFault } from '../../base/fault.ts';
import type { EvidenceFile } from '../../base/gateway.ts';
import type { OnAnswer, ProviderKeys } from '../../base/provider.ts';
import { sendToPaypal } from './paypal-exchange.ts';
import { formContent } from './paypal-form.ts';
import type { PaypalToken } from './paypal-objects.ts';

/** Together they stay below the time for which a process holds a payment, so that no other process asks meanwhile. */
export const TIMEOUTS_MS = { ask: 8_000, charge: 20_000 } as const;

export interface PaypalCall {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string>>;
  /** An object, or JSON text that must reach PayPal as it is. */
  body?: object | string;
  /** Parts of a form in place of a body, each of them JSON. */
  form?: Readonly<Record<string, object>>;
  /** Documents beside the parts of a form. */
  files?: readonly EvidenceFile[];
  /** Under which PayPal remembers the answer. Every POST that changes something has one. */
  requestId?: string;
  timeoutMs?: number;
}

/** Calls in the name of one account. */
export type PaypalApi = <T>(call: PaypalCall) => Promise<T>;

export type Credentials = Pick<ProviderKeys, 'publishableKey' | 'secretKey'> & { isTest: boolean };

export interface PaypalClient {
  call<T>(account: Credentials, call: PaypalCall): Promise<T>;
  /** A fresh token, with what its keys may do. */
  askToken(account: Credentials): Promise<PaypalToken & { answeredOn: string | null }>;
  baseOf(isTest: boolean): string;
  /** Whether keys count as the sandbox's where both worlds have one address. */
  readonly isTestBase: boolean;
}

export interface PaypalBases {
  live: string;
  sandbox: string;
}

/** A token is not used in its last minute: the call that it is for takes time too. */
const SPARE_MS = 60_000;
const MAX_TOKENS = 500;

async function requestToken(
  base: string,
  { publishableKey, secretKey }: Credentials,
  agent: string,
  onAnswer: OnAnswer | undefined,
): Promise<PaypalToken & { answeredOn: string | null }> {
  const basic = Buffer.from(`${publishableKey}:${secretKey}`).toString('base64');
  const headers = {
    authorization: `Basic ${basic}`,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
    'user-agent': agent,
  };
  const init = { method: 'POST', headers, body: 'grant_type=client_credentials' };
  const { body, date } = await sendToPaypal(`${base}/v1/oauth2/token`, init, TIMEOUTS_MS.ask, onAnswer);
  return { ...(body as PaypalToken), answeredOn: date };
}

type Content = { body?: string | Buffer<ArrayBuffer>; headers: Record<string, string> };

function contentOf({ method, body, form, files = [] }: PaypalCall): Content {
  if (form) return formContent(form, files);
  const headers: Record<string, string> =
    method === 'POST' ? { 'content-type': 'application/json', prefer: 'return=representation' } : {};
  return body === undefined ? { headers } : { body: typeof body === 'string' ? body : JSON.stringify(body), headers };
}

const keyOf = ({ publishableKey, secretKey, isTest }: Credentials): string =>
  `${isTest} ${publishableKey} ${secretKey}`;

interface KeptToken {
  text: string;
  untilMs: number;
}

export interface PaypalClientOptions {
  bases: PaypalBases;
  isTestBase: boolean;
  version: string;
  clock: Clock;
  onAnswer?: OnAnswer | undefined;
}

/** PayPal's API. Tokens live in memory until shortly before they end, and are asked for again once when PayPal refuses one. */
export function createPaypalClient(options: PaypalClientOptions): PaypalClient {
  const { bases, isTestBase, version, clock, onAnswer } = options;
  const tokens = new Map<string, KeptToken>();
  const baseOf = (isTest: boolean): string => (isTest ? bases.sandbox : bases.live);
  const agent = `Coinslot/${version}`;
  const askToken: PaypalClient['askToken'] = account => requestToken(baseOf(account.isTest), account, agent, onAnswer);

  const renew = singleFlight(async (isTest: string, publishableKey: string, secretKey: string): Promise<string> => {
    const askedMs = clock.nowMs();
    const account = { publishableKey, secretKey, isTest: isTest === 'true' };
    const { access_token: text, expires_in: seconds } = await askToken(account);
    tokens.set(keyOf(account), { text, untilMs: askedMs + seconds * 1000 - SPARE_MS });
    if (tokens.size > MAX_TOKENS) tokens.delete(tokens.keys().next().value!);
    return text;
  });

  const tokenFor = async (account: Credentials): Promise<string> => {
    const kept = tokens.get(keyOf(account));
    if (kept && clock.nowMs() < kept.untilMs) return kept.text;
    return renew(String(account.isTest), account.publishableKey, account.secretKey);
  };

  async function once(account: Credentials, call: PaypalCall, token: string): Promise<unknown> {
    const query = call.query ? `?${new URLSearchParams(call.query)}` : '';
    const content = contentOf(call);
    const headers: Record<string, string> = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'user-agent': agent,
      ...content.headers,
      ...(call.requestId !== undefined && { 'paypal-request-id': call.requestId }),
    };
    const { body: answer } = await sendToPaypal(
      `${baseOf(account.isTest)}${call.path}${query}`,
      {
        method: call.method,
        ...content,
        headers,
      },
      call.timeoutMs ?? TIMEOUTS_MS.ask,
      onAnswer,
    );
    return answer;
  }

  return {
    baseOf,
    isTestBase,
    askToken,
    async call<T>(account: Credentials, call: PaypalCall): Promise<T> {
      try {
        return (await once(account, call, await tokenFor(account))) as T;
      } catch (error) {
        if (!(error instanceof ProviderFault) || error.statusCode !== 401 || !tokens.has(keyOf(account))) throw error;
      }
      tokens.delete(keyOf(account));
      return (await once(account, call, await tokenFor(account))) as T;
    },
  };
}
