import { once } from 'node:events';
import { type ClientOptions, WebSocket } from 'ws';

export interface Frame {
  type: string;
  [field: string]: unknown;
}

export interface RequestFrame extends Frame {
  id: string;
  headers: Record<string, string>;
  body: string;
}

/** A developer's computer at the other end of `GET /s2s/v1/listen`, which answers as it is told. */
export interface Laptop {
  hello: Frame & { listener_id: string };
  /** Requests that came, in order. */
  requests: RequestFrame[];
  events: Frame[];
  socket: WebSocket;
  /** How the next requests are answered, one each; then with `{ status: 200 }`. Null: not at all. */
  answer(...answers: (object | null)[]): void;
  /** How every request is answered that `answer` says nothing about. */
  answerBy(decide: (request: RequestFrame) => object): void;
  waitFor(condition: () => boolean): Promise<void>;
  /** Why the server hung up. */
  closed: Promise<{ code: number; reason: string }>;
  close(): Promise<void>;
}

export interface Refused {
  status: number;
  body: Record<string, unknown>;
}

const WAIT_MS = 15_000;

const connect = (url: string, key: string, options: ClientOptions = {}): WebSocket =>
  new WebSocket(url.replace(/^http/, 'ws'), { headers: { authorization: `Bearer ${key}` }, ...options });

/** What the server answers instead of opening a connection. */
export async function refusedListen(
  url: string,
  key: string,
  query = '',
  options: ClientOptions = {},
): Promise<Refused> {
  const socket = connect(`${url}/s2s/v1/listen${query}`, key, options);
  return new Promise((resolve, reject) => {
    socket.on('open', () => reject(new Error('it was let in')));
    socket.on('error', () => {});
    socket.on('unexpected-response', (_, response) => {
      let text = '';
      response.on('data', chunk => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
  });
}

export async function openLaptop(url: string, key: string, query = '', options: ClientOptions = {}): Promise<Laptop> {
  const socket = connect(`${url}/s2s/v1/listen${query}`, key, options);
  const waiting = new Set<() => void>();
  const requests: RequestFrame[] = [];
  const events: Frame[] = [];
  const next: (object | null)[] = [];
  let decide: (request: RequestFrame) => object = () => ({ status: 200 });
  const closed = new Promise<{ code: number; reason: string }>(resolve => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  const hello = new Promise<Laptop['hello']>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Frame;
      if (frame.type === 'hello') resolve(frame as Laptop['hello']);
      if (frame.type === 'event') events.push(frame.event as Frame);
      if (frame.type === 'request') {
        requests.push(frame as RequestFrame);
        const answer = next.length > 0 ? next.shift() : decide(frame as RequestFrame);
        if (answer) socket.send(JSON.stringify({ type: 'answer', id: frame.id, ...answer }));
      }
      for (const look of waiting) look();
    });
  });
  return {
    hello: await hello,
    requests,
    events,
    socket,
    closed,
    answer: (...answers) => void next.push(...answers),
    answerBy(given) {
      decide = given;
    },
    waitFor: condition =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('the laptop waited in vain')), WAIT_MS);
        const look = (): void => {
          if (!condition()) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return;
      socket.close();
      await once(socket, 'close');
    },
  };
}
