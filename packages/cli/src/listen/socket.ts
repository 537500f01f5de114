import type { EventRecord } from '@coinslot/sdk';
import { CoinslotError } from '@coinslot/sdk';
import { WebSocket } from 'ws';
import type { WebhookRequest } from './forward.ts';

export interface Hello {
  type: 'hello';
  listener_id: string;
  events: string[];
  takes_items: boolean;
  signed_with: 's2s_key' | 'webhook';
  webhook_id: string | null;
  other_listeners: number;
  game: string;
}

export interface ListenHandlers {
  hello(hello: Hello, isFirst: boolean): void;
  request?(request: WebhookRequest): Promise<object>;
  event?(event: EventRecord): void;
  /** The connection was lost; a new one is opened after that many milliseconds. */
  lost(why: string, againInMs: number): void;
}

export interface ListenOptions {
  url: string;
  key: string;
  mode: 'forward' | 'tail';
  events: readonly string[];
  /** Stops listening without an error. */
  signal: AbortSignal;
  random?: () => number;
  firstDelayMs?: number;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** The service pings every three seconds. */
const SILENCE_MS = 15_000;
const CLOSED = { disabled: 4002, keyRevoked: 4003, notAFrame: 1008 } as const;

/** The connection ended and will not be reopened. */
export class ListenEnded extends Error {
  override readonly name = 'ListenEnded';
}

type Frame = Hello | ({ type: 'request' } & WebhookRequest) | { type: 'event'; event: EventRecord };

const addressOf = ({ url, mode, events }: ListenOptions): string => {
  const address = new URL(`${url}/s2s/v1/listen`);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  address.search = new URLSearchParams({ mode, events: events.join(',') }).toString();
  return address.href;
};

/** Turns a refused upgrade into the error that an API call would throw. */
function refusalOf(status: number, text: string, url: string): CoinslotError {
  const { code, title, detail, request_id: requestId = null } = problemIn(text);
  if (code === undefined) {
    const message = `${url} responded with ${status}, which does not look like Coinslot. Check the address, and that proxies allow WebSockets.`;
    return new CoinslotError({ code: 'invalid_answer', message, status });
  }
  const message = `${status} ${code}: ${[title, detail].filter(Boolean).join(': ')}`;
  return new CoinslotError({ code, message, status, requestId });
}

function problemIn(text: string): { code?: string; title?: string; detail?: string; request_id?: string } {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    return {};
  }
}

interface Ended {
  /** Whether the service had sent its hello frame. */
  wasOpen: boolean;
  why: string;
}

/** Runs one connection from start to end. Rejects if a retry cannot help. */
function connectOnce(options: ListenOptions, handlers: ListenHandlers, isFirst: boolean): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(addressOf(options), {
      headers: { authorization: `Bearer ${options.key}` },
      handshakeTimeout: SILENCE_MS,
      maxPayload: 4 * 1024 * 1024,
      perMessageDeflate: false,
      followRedirects: false,
    });
    let wasOpen = false;
    let why = '';
    let silence: NodeJS.Timeout | undefined;
    const hearSomething = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        why = 'the service stopped responding';
        socket.terminate();
      }, SILENCE_MS);
    };
    const leave = (): void => socket.close(1000, 'done');
    options.signal.addEventListener('abort', leave, { once: true });
    const handle = (frame: Frame): void => {
      if (frame.type === 'hello') {
        wasOpen = true;
        handlers.hello(frame, isFirst);
      } else if (frame.type === 'event') handlers.event?.(frame.event);
      else if (frame.type === 'request') {
        void handlers.request?.(frame).then(answer => {
          if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id: frame.id, ...answer }));
        });
      }
    };
    socket.on('open', hearSomething);
    socket.on('ping', hearSomething);
    socket.on('message', (data: Buffer) => {
      hearSomething();
      handle(JSON.parse(data.toString()) as Frame);
    });
    socket.on('unexpected-response', (_request, response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => reject(refusalOf(response.statusCode ?? 0, text, options.url)));
    });
    socket.on('error', error => {
      why ||= 'code' in error ? String(error.code) : error.message;
    });
    socket.on('close', (code, reason) => {
      clearTimeout(silence);
      options.signal.removeEventListener('abort', leave);
      const said = reason.toString();
      if (code === CLOSED.disabled || code === CLOSED.notAFrame) reject(new ListenEnded(said));
      else if (code === CLOSED.keyRevoked)
        reject(new CoinslotError({ code: 'unauthorized', message: said, status: 401 }));
      else resolve({ wasOpen, why: said || why || `closed with ${code}` });
    });
  });
}

/** Ends early when the command is stopped. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });

/** The service is busy or starting, so it is worth retrying if it was connected before. */
const isTemporary = (error: unknown): boolean =>
  error instanceof CoinslotError && (error.status >= 500 || error.status === 429 || error.status === 409);

/** Listens until the signal aborts. The first connection must succeed; a lost one is always reopened. */
export async function listen(options: ListenOptions, handlers: ListenHandlers): Promise<void> {
  const { signal, random = Math.random, firstDelayMs = FIRST_DELAY_MS } = options;
  let wasEverOpen = false;
  for (let tries = 0; !signal.aborted; ) {
    const ended: Ended = await connectOnce(options, handlers, !wasEverOpen).catch((error: unknown) => {
      if (!wasEverOpen || !isTemporary(error)) throw error;
      return { wasOpen: false, why: (error as Error).message };
    });
    if (signal.aborted) return;
    if (ended.wasOpen) tries = 0;
    wasEverOpen ||= ended.wasOpen;
    if (!wasEverOpen) {
      const message = `Could not reach Coinslot at ${options.url}: ${ended.why}.`;
      throw new CoinslotError({ code: 'connection_failed', message });
    }
    const delayMs = Math.min(LONGEST_DELAY_MS, firstDelayMs * 2 ** tries++) * (0.8 + 0.4 * random());
    handlers.lost(ended.why, delayMs);
    await pause(delayMs, signal);
  }
}

/** A signal that aborts with the outer one, or after `total` calls of `count`. */
export function countdown(outer: AbortSignal, total: number | undefined): { signal: AbortSignal; count: () => void } {
  const done = new AbortController();
  let left = total ?? Number.POSITIVE_INFINITY;
  return {
    signal: AbortSignal.any([outer, done.signal]),
    count() {
      if (--left <= 0) done.abort();
    },
  };
}
