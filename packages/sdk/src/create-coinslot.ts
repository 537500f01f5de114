import type { Request } from './caller.ts';
import { createItems, createPlayers, type Items, type Players } from './catalog.ts';
import type { Hooks } from './hooks.ts';
import { InputCheck, isRecord, show } from './input-check.ts';
import { createOrders, type Orders } from './orders.ts';
import { createPayments, type Payments } from './payments.ts';
import { createEvents, createRequests, createSandbox, type Events, type Requests, type Sandbox } from './sandbox.ts';
import { type Answer, type Connection, type RequestOptions, sendRequest } from './send-request.ts';
import { createDeliveries, createWebhooks, type Deliveries, type Webhooks } from './webhooks.ts';

export interface CoinslotOptions {
  /** The S2S key. It decides between sandbox and live, and belongs on a server, never in a game client. */
  key: string;
  /** Where Coinslot runs, such as `https://pay.example.com`. */
  baseUrl: string;
  /** A custom `fetch`, for logging or tests. */
  fetch?: typeof globalThis.fetch;
  /** Time limit of each attempt, in milliseconds; defaults to 15,000. */
  timeoutMs?: number;
  /** How often a failed attempt is retried where that is safe; defaults to 3, and 0 means never. */
  retries?: number;
  /** Called around every attempt, for logging and tracing. */
  hooks?: Hooks;
  /** Allows plain http to a public host, where every router on the way can read the key. Never set it in production. */
  allowPlainHttp?: boolean;
}

const OPTIONS = ['key', 'baseUrl', 'fetch', 'timeoutMs', 'retries', 'hooks', 'allowPlainHttp'];
const HOOKS = ['headers', 'onRequest', 'onResponse', 'onFailure'];

export interface Coinslot {
  readonly orders: Orders;
  readonly payments: Payments;
  readonly items: Items;
  readonly players: Players;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  /** What happened, in sandbox and live, for as long as the operator keeps events. */
  readonly events: Events;
  /** The recent requests made with this key, and their errors. */
  readonly requests: Requests;
  /** For tests: pay with a test card, trigger events. Only with a sandbox key. */
  readonly sandbox: Sandbox;
  /** Any other call, with the same key, time limits, retries and errors. */
  request<T = unknown>(options: RequestOptions): Promise<Answer<T>>;
}

const TIMEOUT_MS = 15_000;
const LONGEST_TIMEOUT_MS = 2_147_483_647;
const RETRIES = 3;
const EXAMPLE = `{ key: process.env.S2S_KEY, baseUrl: 'https://pay.example.com' }`;

/** Messages never contain the key itself. */
function checkKey(check: InputCheck, key: unknown): void {
  if (typeof key !== 'string' || key === '') {
    check.refuse('/key', 'required', `must be your S2S key; got ${key === '' ? 'an empty string' : typeof key}`);
  } else if (/^bearer\s/i.test(key)) {
    check.refuse('/key', 'pattern', 'must be the key alone, without "Bearer "');
  } else if (!/^[\x21-\x7e]+$/.test(key)) {
    check.refuse('/key', 'pattern', 'contains a space or a line break; was it copied from a file?');
  }
}

const PRIVATE_V4 = /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254)\./;
const PRIVATE_V6 = /^\[(?:::1|f[cd][0-9a-f]{2}:.*|fe80:.*)\]$/;
const PRIVATE_NAMES = /(?:^|\.)(?:localhost|local|internal|lan|test)$/;

/** Hosts where plain http is usual: this computer, a private network, or a bare name such as a container's. */
const isNearHost = (host: string): boolean =>
  PRIVATE_V4.test(host) || PRIVATE_V6.test(host) || PRIVATE_NAMES.test(host) || !/[.:]/.test(host);

function checkBaseUrl(check: InputCheck, baseUrl: unknown, allowPlainHttp: boolean): string {
  check.webUrl(baseUrl, '/baseUrl', 'https://pay.example.com');
  try {
    const url = new URL(String(baseUrl));
    if (url.username || url.password) check.refuse('/baseUrl', 'pattern', 'must not contain a user name or password');
    if (url.pathname.includes('/s2s') || url.search || url.hash)
      check.refuse('/baseUrl', 'pattern', `must end before /s2s, such as ${url.origin}`);
    if (url.protocol === 'http:' && !allowPlainHttp && !isNearHost(url.hostname))
      check.refuse('/baseUrl', 'pattern', `must be https: over plain http the key can be read on its way`);
    return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '');
  } catch {
    return '';
  }
}

function connectionOf(options: unknown): Connection {
  const check = new InputCheck('createCoinslot');
  if (!check.object(options, '', EXAMPLE)) check.done();
  const {
    key,
    baseUrl,
    fetch = globalThis.fetch,
    timeoutMs = TIMEOUT_MS,
    retries = RETRIES,
    hooks = {},
    allowPlainHttp = false,
  } = isRecord(options) ? options : {};
  if (isRecord(options)) check.known(options, '', OPTIONS);
  checkKey(check, key);
  const origin = checkBaseUrl(check, baseUrl, allowPlainHttp === true);
  if (check.object(hooks, '/hooks', '{ onResponse: ({ status }) => … }')) {
    check.known(hooks, '/hooks', HOOKS);
    for (const name of HOOKS)
      if (hooks[name] !== undefined && typeof hooks[name] !== 'function')
        check.refuse(`/hooks/${name}`, 'type', `must be a function; got ${show(hooks[name])}`);
  }
  check.wholeNumber(timeoutMs, '/timeoutMs', 1, LONGEST_TIMEOUT_MS);
  check.wholeNumber(retries, '/retries', 0, 100);
  if (typeof fetch !== 'function')
    check.refuse('/fetch', 'type', `must be a function; got ${show(fetch)}. Node 18 and newer have one built in`);
  check.done();
  const send = fetch as typeof globalThis.fetch;
  // In browsers and workers `fetch` throws when called as a method of another object.
  return {
    key: String(key),
    origin,
    fetch: (...args) => send(...args),
    timeoutMs: Number(timeoutMs),
    retries: Number(retries),
    hooks: hooks as Hooks,
  };
}

function checkRequest(options: RequestOptions): void {
  const check = new InputCheck('request');
  if (check.object(options, '', `{ method: 'GET', path: '/s2s/v1/orders' }`)) {
    check.oneOf(options.method, '/method', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
    if (typeof options.path !== 'string' || !/^\/(?!\/)/.test(options.path))
      check.refuse(
        '/path',
        'pattern',
        `must start with one slash, such as "/s2s/v1/orders"; got ${show(options.path)}`,
      );
    if (options.timeoutMs !== undefined) check.wholeNumber(options.timeoutMs, '/timeoutMs', 1, LONGEST_TIMEOUT_MS);
    if (options.retries !== undefined) check.wholeNumber(options.retries, '/retries', 0, 100);
  }
  check.done();
}

/** A client for one environment of one game. */
export function createCoinslot(options: CoinslotOptions): Coinslot {
  const connection = connectionOf(options);
  const request: Request = async call => {
    checkRequest(call);
    return sendRequest(connection, call);
  };
  return {
    orders: createOrders(request),
    payments: createPayments(request),
    items: createItems(request),
    players: createPlayers(request),
    webhooks: createWebhooks(request),
    deliveries: createDeliveries(request),
    events: createEvents(request),
    requests: createRequests(request),
    sandbox: createSandbox(request),
    request,
  };
}
