import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { Certificate } from './certificates.ts';

/** A game's backend as the interface describes it, which can also be told to misbehave. */
export interface Game {
  readonly url: string;
  readonly port: number;
  /** In order of arrival, complete ones only. */
  readonly requests: readonly ReceivedRequest[];
  /** What each player holds by now: `player_id` → `sku` → count. */
  readonly inventory: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Connections ever accepted. */
  readonly connections: number;
  /** Connections open now. */
  readonly openConnections: number;
  /** How the next requests are answered, one each; afterwards the game is well-behaved again. */
  answer(...behaviors: readonly Behavior[]): void;
  /** How every request without a behavior of its own is answered; null for well-behaved. */
  answerAlways(behavior: Behavior | null): void;
  /** The secret can be rotated. */
  useSecret(secret: string): void;
  /** Resolves when the condition holds; it is looked at whenever something happens here. */
  waitFor(condition: (game: Game) => boolean, timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawBody: string;
  readonly body: DeliveryBody | null;
  /** By the rules of the interface; false as well when the game has no secret. */
  readonly verified: boolean;
  /** The address the request came in on, and the name asked for by TLS. */
  readonly localAddress: string;
  readonly servername: string | null;
  readonly atMs: number;
}

export interface DeliveryBody {
  readonly event_type: string;
  readonly idempotency_key: string;
  readonly event_data: {
    readonly player_id: string;
    readonly items: readonly { readonly sku: string; readonly quantity?: number }[];
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** A status with body and headers applies no items unless it is a 2xx. */
export type Behavior =
  | {
      readonly status: number;
      readonly body?: string | Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | 'decline'
  | 'redirect'
  | 'hang'
  | 'reset'
  | 'ok then reset'
  | 'ok then drip'
  | 'huge body'
  | 'gzip bomb'
  | 'endless 1xx'
  | 'not http'
  | 'huge headers'
  | ((request: IncomingMessage, response: ServerResponse) => void);

export interface GameOptions {
  readonly secret?: string;
  readonly tls?: Certificate;
  /** 127.0.0.1 unless told; `::1` is given as `http://[::1]:…`. */
  readonly host?: string;
  readonly port?: number;
}

export async function startGame(options: GameOptions = {}): Promise<Game> {
  const game = new GameReceiver(options.secret ?? '');
  const listener: RequestListener = (request, response) => game.receive(request, response);
  const server = options.tls ? createTlsServer({ ...options.tls }, listener) : createServer(listener);
  server.on('connection', (socket: Socket) => game.connected(socket));
  // A client that dislikes the certificate hangs up; that is its right.
  server.on('tlsClientError', () => {});
  const host = options.host ?? '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return game.opened(
    `${options.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}/hooks`,
    port,
    () => {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  );
}

class GameReceiver implements Game {
  url = '';
  port = 0;
  connections = 0;
  readonly requests: ReceivedRequest[] = [];
  readonly inventory = new Map<string, Map<string, number>>();
  readonly #applied = new Set<string>();
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<() => void>();
  #next: Behavior[] = [];
  #always: Behavior | null = null;
  #secret: string;
  #closeServer: () => Promise<void> = async () => {};

  constructor(secret: string) {
    this.#secret = secret;
  }

  get openConnections(): number {
    return this.#sockets.size;
  }

  opened(url: string, port: number, closeServer: () => Promise<void>): Game {
    this.url = url;
    this.port = port;
    this.#closeServer = closeServer;
    return this;
  }

  answer(...behaviors: readonly Behavior[]): void {
    this.#next.push(...behaviors);
  }

  answerAlways(behavior: Behavior | null): void {
    this.#always = behavior;
  }

  useSecret(secret: string): void {
    this.#secret = secret;
  }

  waitFor(condition: (game: Game) => boolean, timeoutMs = 60_000): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(new Error(`the game waited ${timeoutMs} ms in vain; it received ${this.requests.length} requests`));
      }, timeoutMs);
      const look = (): void => {
        if (!condition(this)) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await this.#closeServer();
  }

  connected(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#happened();
    });
    this.#happened();
  }

  receive(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('end', () => {
      const received = this.#read(request, Buffer.concat(chunks).toString('utf8'));
      this.requests.push(received);
      const behavior = this.#next.shift() ?? this.#always;
      if (behavior === null) this.#behave(received, response);
      else this.#misbehave(behavior, received, request, response);
      this.#happened();
    });
  }

  #read(request: IncomingMessage, rawBody: string): ReceivedRequest {
    const { socket, headers, method = '', url = '' } = request;
    const servername = 'servername' in socket && typeof socket.servername === 'string' ? socket.servername : null;
    return {
      method,
      path: url,
      headers,
      rawBody,
      body: parse(rawBody),
      verified: this.#secret !== '' && isSigned(headers, rawBody, this.#secret),
      localAddress: socket.localAddress ?? '',
      servername,
      atMs: Date.now(),
    };
  }

  /** The receiver rules and the error table of the interface. */
  #behave(received: ReceivedRequest, response: ServerResponse): void {
    const { body } = received;
    const kind = body?.event_type;
    if (this.#secret !== '' && !received.verified) json(response, 403, { error: 'signature' });
    else if (body && (kind === 'item.add' || kind === 'item.remove')) {
      this.#apply(body);
      json(response, 200, { status: 'ok' });
    } else if (kind === 'webhook.test') json(response, 200, { status: 'ok' });
    else json(response, 400, { error: 'event_type' });
  }

  #apply(body: DeliveryBody): void {
    if (!body.event_type.startsWith('item.') || this.#applied.has(body.idempotency_key)) return;
    this.#applied.add(body.idempotency_key);
    const { player_id, items } = body.event_data;
    const held = this.inventory.get(player_id) ?? new Map<string, number>();
    this.inventory.set(player_id, held);
    const sign = body.event_type === 'item.add' ? 1 : -1;
    for (const { sku, quantity = 1 } of items) held.set(sku, (held.get(sku) ?? 0) + sign * quantity);
  }

  #misbehave(behavior: Behavior, received: ReceivedRequest, request: IncomingMessage, response: ServerResponse): void {
    if (typeof behavior === 'function') {
      behavior(request, response);
    } else if (typeof behavior === 'string') {
      if (behavior.startsWith('ok') && received.body) this.#apply(received.body);
      MISBEHAVIORS[behavior](response, request.socket);
    } else {
      const { status, body = '', headers = {} } = behavior;
      if (status >= 200 && status < 300 && received.body) this.#apply(received.body);
      response.writeHead(status, headers).end(body);
    }
  }

  #happened(): void {
    for (const look of this.#waiting) look();
  }
}

type Named = Extract<Behavior, string>;

const MISBEHAVIORS: Readonly<Record<Named, (response: ServerResponse, socket: Socket) => void>> = {
  decline: response => json(response, 422, { code: 'declined', message: 'no such player' }),
  redirect: response => response.writeHead(307, { location: '/elsewhere' }).end(),
  hang: () => {},
  reset: (_response, socket) => socket.resetAndDestroy(),
  'ok then reset': (response, socket) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"status":', () => socket.resetAndDestroy());
  },
  'ok then drip': response => {
    response.writeHead(200);
    repeat(response, 20, () => response.write('.'));
  },
  'huge body': response => {
    const chunk = Buffer.alloc(65_536, 'x');
    response.writeHead(200, { 'content-length': String(2 ** 30) });
    const more = (): void => {
      if (response.destroyed) return;
      if (response.write(chunk)) setImmediate(more);
      else response.once('drain', more);
    };
    more();
  },
  'gzip bomb': response => {
    const bomb = gzipSync(Buffer.alloc(8 * 2 ** 20));
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': String(bomb.length) }).end(bomb);
  },
  'endless 1xx': (_response, socket) => {
    repeat(socket, 1, () => socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(20)));
  },
  'not http': (_response, socket) => socket.end('220 mail.example ESMTP\r\n'),
  'huge headers': (_response, socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(300_000)}\r\n\r\n`),
};

function repeat(stream: Writable, everyMs: number, step: () => void): void {
  const timer = setInterval(step, everyMs);
  stream.once('close', () => clearInterval(timer));
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function isSigned(headers: IncomingMessage['headers'], rawBody: string, secret: string): boolean {
  const timestamp = String(headers['x-service-signature-timestamp'] ?? '');
  const received = Buffer.from(String(headers['x-service-signature'] ?? ''));
  const expected = Buffer.from(createHmac('sha256', secret).update(`${timestamp}.${rawBody}`).digest('hex'));
  return received.length === expected.length && timingSafeEqual(received, expected);
}

function parse(rawBody: string): DeliveryBody | null {
  try {
    return JSON.parse(rawBody) as DeliveryBody;
  } catch {
    return null;
  }
}
