import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** How the game treats the deliveries of an order. It is honest: what it answered with 2xx it did, once. */
export const MOODS = [
  'well',
  'slow',
  'error once',
  'apply then drop',
  'drop once',
  'drop, then slow',
  'hang once',
  'decline',
] as const;
export type Mood = (typeof MOODS)[number];

export interface Arrival {
  orderId: string;
  kind: string;
  key: string;
  /** The game did what was asked, by this arrival or an earlier one of the same key. */
  applied: boolean;
  atMs: number;
}

export interface HonestGame {
  url: string;
  observerUrl: string;
  readonly arrivals: readonly Arrival[];
  /** Orders whose items the players hold now. */
  readonly granted: ReadonlySet<string>;
  /** What went wrong by the rules of the interface; must stay empty. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

interface Delivery {
  event_type: string;
  idempotency_key: string;
  event_data: { order_id: string; metadata?: Record<string, string> };
}

const SLOW_MS = 150;
const HANG_MS = 12_000;

class Game {
  readonly arrivals: Arrival[] = [];
  readonly granted = new Set<string>();
  readonly complaints: string[] = [];
  readonly #seen = new Map<string, number>();
  readonly #applied = new Set<string>();
  readonly #bodies = new Map<string, string>();

  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const delivery = JSON.parse(body) as Delivery;
    const { idempotency_key: key, event_type: kind } = delivery;
    if ((this.#bodies.get(key) ?? body) !== body) this.complaints.push(`${key}: the bytes changed between attempts`);
    this.#bodies.set(key, body);
    const seen = this.#seen.get(key) ?? 0;
    this.#seen.set(key, seen + 1);
    const arrival = { orderId: delivery.event_data.order_id, kind, key, applied: false, atMs: Date.now() };
    this.arrivals.push(arrival);
    await this.#answer(delivery, arrival, seen, response);
  }

  async #answer(delivery: Delivery, arrival: Arrival, seen: number, response: ServerResponse): Promise<void> {
    const isItem = arrival.kind.startsWith('item.');
    const mood = (isItem && delivery.event_data.metadata?.mood) || 'well';
    const isFirst = seen === 0;
    if (mood === 'decline' && arrival.kind === 'item.add') {
      response.writeHead(422, { 'content-type': 'application/json' }).end('{"code":"declined"}');
      return;
    }
    if (isFirst && mood === 'error once') return void response.writeHead(500).end();
    if (isFirst && mood.startsWith('drop')) return void response.socket?.resetAndDestroy();
    if (isFirst && mood === 'hang once') {
      await pause(HANG_MS, undefined, { ref: false });
      return void response.destroy();
    }
    if (mood.endsWith('slow')) await pause(SLOW_MS);
    this.#apply(arrival);
    if (isFirst && mood === 'apply then drop') return void response.socket?.resetAndDestroy();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
  }

  #apply(arrival: Arrival): void {
    arrival.applied = true;
    if (this.#applied.has(arrival.key)) return;
    this.#applied.add(arrival.key);
    if (arrival.kind === 'item.add') this.granted.add(arrival.orderId);
    // Nothing to take away: the add never came. An honest shop asks for it all the same, an honest game says yes.
    else if (arrival.kind === 'item.remove') this.granted.delete(arrival.orderId);
  }
}

export async function startHonestGame(): Promise<HonestGame> {
  const game = new Game();
  const server = createServer((request, response) => {
    response.on('error', () => {});
    // A shop that dies while it sends hangs up; the game has then heard nothing.
    game.receive(request, response).catch(() => response.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(game, {
    url: `http://127.0.0.1:${port}/hooks`,
    observerUrl: `http://127.0.0.1:${port}/observer`,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
