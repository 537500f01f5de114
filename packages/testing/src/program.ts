import type { AddressInfo } from 'node:net';
import type { Order } from '@coinslot/contract';
import { createSeal } from '../../../apps/server/src/kit/seal.ts';
import type { Parts } from '../../../apps/server/src/program/parts.ts';
import { type Program, wire } from '../../../apps/server/src/program/wire.ts';
import { loadConfig } from '../../../apps/server/src/settings/config.ts';
import type { LogExport } from '../../../apps/server/src/telemetry/export-logs.ts';
import type { MetricExport } from '../../../apps/server/src/telemetry/export-metrics.ts';
import type { Tracing } from '../../../apps/server/src/telemetry/tracing.ts';
import { TEST_CONNECTIONS, type TestDatabase, testDatabase } from './database.ts';
import { registerTestAccount } from './registered-game.ts';

export const MASTER_KEY = Buffer.alloc(32, 9);

export const CARDS = {
  success: '4242 4242 4242 4242',
  decline: '4832 2850 6160 9015',
  noFunds: '4211 1272 6211 2418',
  challenge: '4224 7030 8257 5813',
  disputeLost: '4000 0000 0000 0267',
  disputeWon: '4000 0000 0000 2685',
} as const;

export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
}

export type CallApi = <T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  options?: { key?: string; headers?: Record<string, string> },
) => Promise<Answer<T>>;

export interface TestProgram {
  program: Program;
  database: TestDatabase;
  url: string;
  account: Awaited<ReturnType<typeof registerTestAccount>>;
  /** Calls the S2S API with the sandbox key. */
  call: CallApi;
  createOrder(body?: Record<string, unknown>): Promise<{ order_id: string; checkout_url: string }>;
  readOrder(id: string): Promise<Order>;
  /** Fills in the form and posts it, without following the redirect. */
  pay(checkoutUrl: string, card?: string, fields?: Record<string, string>): Promise<Response>;
  /** Waits until the order has one of the statuses. */
  until(id: string, ...statuses: string[]): Promise<Order>;
  /** Moves the shop's clock and works off what became due. */
  later(seconds: number): Promise<void>;
  /** Moves it to six in the morning (UTC), for a test of a day's figures: it may be run shortly before midnight. */
  untilMorning(): Promise<void>;
  close(): Promise<void>;
}

export interface TestProgramOptions {
  replace?: (parts: Parts) => Parts;
  env?: Record<string, string>;
  tracing?: Tracing;
  logExport?: LogExport;
  metricExport?: MetricExport;
  /** The program reaches its database by this way; the test itself goes directly. */
  databaseUrlOf?: (url: string) => Promise<string>;
  /** Off: nothing happens by itself, `later` and `workers.drain` do it. */
  workers?: boolean;
  /** Where it listens, for a test that must know before it starts. */
  port?: number;
}

const WAIT_MS = 60_000;
const DAY = 86_400;
const MORNING = 6 * 3600;

const payForm = (card: string, fields: Record<string, string>): URLSearchParams =>
  new URLSearchParams({
    card_number: card,
    card_expiry: '12 / 40',
    card_cvc: '123',
    email: 'player@example.com',
    postal_code: '10115',
    ...fields,
  });

/** The whole program in this process, on a database of its own, behind a real socket. */
export async function startProgram(options: TestProgramOptions = {}): Promise<TestProgram> {
  const database = await testDatabase();
  const config = loadConfig({
    NODE_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'silent',
    DATABASE_CONNECTIONS: TEST_CONNECTIONS,
    ...options.env,
  });
  const program = wire({
    config,
    databaseUrl: (await options.databaseUrlOf?.(database.url)) ?? database.url,
    masterKey: MASTER_KEY,
    version: '0.0.0-test',
    tracing: options.tracing,
    logExport: options.logExport,
    metricExport: options.metricExport,
    ...(options.replace && { replace: options.replace }),
  });
  const account = await registerTestAccount(database.db, createSeal(MASTER_KEY));
  await program.start();
  if (options.workers ?? true) program.workers.start();
  await program.app.listen({ port: options.port ?? 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(program.app.server.address() as AddressInfo).port}`;

  const call: CallApi = async (method, path, body, { key = account.sandbox.s2sKey, headers = {} } = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
  };

  const readOrder = async (id: string): Promise<Order> => (await call<Order>('GET', `/s2s/v1/orders/${id}`)).body;

  const later = async (seconds: number): Promise<void> => {
    await database.advance(seconds);
    await program.parts.clock.refresh();
    await program.workers.drain();
  };

  return {
    program,
    database,
    url,
    account,
    call,
    readOrder,
    async createOrder(body = {}) {
      const answer = await call<{ order_id: string; checkout_url: string }>('POST', '/s2s/v1/orders', {
        player_id: 'player_1',
        items: [{ sku: 'crystals_100' }],
        ...body,
      });
      if (answer.status !== 201) throw new Error(`order not created: ${JSON.stringify(answer.body)}`);
      // The program was told port 0; the socket knows the real one.
      return { ...answer.body, checkout_url: url + new URL(answer.body.checkout_url).pathname };
    },
    pay: (checkoutUrl, card = CARDS.success, fields = {}) =>
      fetch(`${checkoutUrl}/pay`, { method: 'POST', body: payForm(card, fields), redirect: 'manual' }),
    async until(id, ...statuses) {
      const deadline = Date.now() + WAIT_MS;
      for (;;) {
        const order = await readOrder(id);
        if (statuses.includes(order.status)) return order;
        if (Date.now() > deadline) throw new Error(`${id} stays ${order.status}, not ${statuses.join(' or ')}`);
        await call('GET', `/s2s/v1/orders/${id}?wait=1`);
      }
    },
    later,
    async untilMorning() {
      const seconds = Math.floor(program.parts.clock.nowMs() / 1000);
      await later(DAY - ((seconds - MORNING) % DAY));
    },
    async close() {
      await program.stop();
      await database.drop();
    },
  };
}
