import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { type Clock, systemClock } from '../../../kit/clock.ts';
import type { Shop } from '../../shop.ts';
import type { EndpointWatch } from '../health/watch-endpoints.ts';
import {
  answeredExchange,
  type Exchange,
  explain,
  type Failure,
  failedExchange,
  isSuccess,
  readText,
  tookUntil,
} from './exchange.ts';
import type { ReceiverSlots } from './receiver-slots.ts';
import type { ResolveHost } from './resolve-host.ts';
import { createSocketPool, type Socket } from './socket-pool.ts';
import { readTarget, type Target, type TargetPolicy, type TargetRefusal, vetAddresses } from './target.ts';

export interface SendRequest {
  readonly url: string;
  /** Sent as they are: the signature is over these bytes. */
  readonly body: Uint8Array | string;
  /** The bytes of the body in pieces, as they come over a slow network; their length must be in the headers. */
  readonly slowly?: Readable;
  /** POST unless given; a GET has no body. */
  readonly method?: 'GET' | 'POST';
  /** Cuts the connection this long after the request was begun, as a service that dies before it hears the answer. */
  readonly cutAfterMs?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whose delivery it is; a sandbox may have asked for chaos. */
  readonly environmentId?: string;
}

export interface Sender {
  /** Never rejects: whatever happens on the way stands in the exchange. */
  send(request: SendRequest): Promise<Exchange>;
  close(): Promise<void>;
}

export interface WebhookShop extends Shop {
  sender: Sender;
  targetPolicy: TargetPolicy;
  endpointWatch: EndpointWatch;
  receiverSlots: ReceiverSlots;
}

export interface SenderOptions {
  readonly policy: TargetPolicy;
  readonly resolve: ResolveHost;
  readonly version: string;
  readonly clock?: Clock;
  /** For the whole exchange: DNS, connecting, TLS, headers, body. */
  readonly timeoutMs?: number;
  /** How much longer the body of a 2xx is read. The outcome is known by then; this is for the log. */
  readonly successBodyMs?: number;
  readonly maxBodyBytes?: number;
  /** Origins at addresses to which connections are kept alive. */
  readonly maxTargets?: number;
  readonly extraCa?: string;
}

type Settings = Required<Pick<SenderOptions, 'clock' | 'timeoutMs' | 'successBodyMs' | 'maxBodyBytes'>>;

const TARGETS_REMEMBERED = 1000;
/** Early hints and the like before the answer. Honest receivers send one or two; each costs as much to read as an answer. */
const MOST_INTERIM = 16;

export function createSender(options: SenderOptions): Sender {
  const settings: Settings = {
    clock: options.clock ?? systemClock,
    timeoutMs: options.timeoutMs ?? 10_000,
    successBodyMs: options.successBodyMs ?? 1000,
    maxBodyBytes: options.maxBodyBytes ?? 65_536,
  };
  const userAgent = `Coinslot/${options.version}`;
  const sockets = createSocketPool({
    connectTimeoutMs: settings.timeoutMs,
    maxTargets: options.maxTargets ?? 256,
    idleMs: 4000,
    extraCa: options.extraCa,
  });
  const targetOf = rememberTargets(options.policy);
  let closed = false;

  return {
    send(request) {
      return new Promise(done => {
        const attempt = new Attempt(settings, done, request.cutAfterMs);
        const target = targetOf(request.url);
        if (!('origin' in target)) return attempt.fail('blocked', notAllowed(target));
        const dispatch = (addresses: readonly string[]): void => {
          if (closed) attempt.fail('unsendable', 'the sender is closed');
          if (attempt.over) return;
          const { body, method = 'POST' } = request;
          const headers = { 'content-type': 'application/json', 'user-agent': userAgent, ...request.headers };
          attempt.dispatch(sockets.take(target.origin, addresses), {
            path: target.path,
            method,
            headers,
            body: method === 'GET' ? null : (request.slowly ?? body),
          });
        };
        if (target.addresses) return dispatch(target.addresses);
        options.resolve(target.host).then(
          addresses => {
            const refusal = vetAddresses(addresses, options.policy);
            if (refusal) attempt.fail('blocked', notAllowed(refusal));
            else dispatch(addresses);
          },
          () => attempt.fail('dns', 'could not find the host name'),
        );
      });
    },
    async close() {
      closed = true;
      await sockets.close();
    },
  };
}

function notAllowed({ code, message }: TargetRefusal): string {
  return code === 'address_not_allowed' ? 'address not allowed' : message;
}

/** The verdict of a URL never changes while the policy stays, and most deliveries go to few URLs. */
function rememberTargets(policy: TargetPolicy): (url: string) => Target | TargetRefusal {
  const targets = new Map<string, Target | TargetRefusal>();
  return url => {
    const known = targets.get(url);
    if (known) return known;
    if (targets.size >= TARGETS_REMEMBERED) targets.clear();
    const target = readTarget(url, policy);
    targets.set(url, target);
    return target;
  };
}

/** One request on its way. Whatever comes first (answer, error, deadline) settles it; the rest is ignored. */
class Attempt implements Dispatcher.DispatchHandler {
  over = false;
  readonly #settings: Settings;
  readonly #done: (exchange: Exchange) => void;
  readonly #cutAfterMs: number | undefined;
  readonly #startedAtMs: number;
  #timer: NodeJS.Timeout;
  #connection: Socket | null = null;
  #sent = false;
  #status: number | null = null;
  #headers: Record<string, string> = {};
  #chunks: Uint8Array[] = [];
  #size = 0;
  #interim = 0;

  constructor(settings: Settings, done: (exchange: Exchange) => void, cutAfterMs?: number) {
    this.#settings = settings;
    this.#done = done;
    this.#cutAfterMs = cutAfterMs;
    this.#startedAtMs = settings.clock.nowMs();
    this.#timer = setTimeout(() => this.#stop(), settings.timeoutMs);
  }

  dispatch(connection: Socket, request: Dispatcher.DispatchOptions): void {
    this.#connection = connection;
    connection.client.dispatch(request, this);
  }

  fail(failure: Failure, error: string): void {
    this.#settle(took => failedExchange(took, failure, error), false);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A second start means that the connection was lost: a POST is never sent again silently.
    if (this.#sent) controller.abort(new Error('not sent again'));
    this.#sent = true;
    if (this.#cutAfterMs === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.fail('timeout', 'the connection was cut on purpose'), this.#cutAfterMs);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.over) return;
    if (status < 200) {
      this.#interim += 1;
      if (this.#interim > MOST_INTERIM) this.fail('broken', `more than ${MOST_INTERIM} interim answers (1xx)`);
      return;
    }
    this.#status = status;
    this.#headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)] as const));
    if (!isSuccess(status)) return;
    const { clock, timeoutMs, successBodyMs } = this.#settings;
    const leftMs = this.#startedAtMs + timeoutMs - clock.nowMs();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#stop(), Math.min(successBodyMs, Math.max(0, leftMs)));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.over) return;
    const left = this.#settings.maxBodyBytes - this.#size;
    this.#size += chunk.length;
    this.#chunks.push(chunk.length > left ? chunk.subarray(0, left) : chunk);
    if (chunk.length <= left) return;
    this.#answered(true);
  }

  onResponseEnd(): void {
    this.#answered(false);
  }

  onResponseError(_controller: unknown, error: unknown): void {
    if (this.#status === null) {
      const { failure, error: reason } = explain(error, this.#sent);
      this.fail(failure, reason);
    } else {
      this.#answered(true);
    }
  }

  #stop(): void {
    if (this.#status === null) this.fail('timeout', `no answer within ${this.#settings.timeoutMs / 1000} s`);
    else this.#answered(true);
  }

  #answered(cut: boolean): void {
    const answer = { status: this.#status!, headers: this.#headers, body: readText(this.#chunks), cut };
    this.#settle(took => answeredExchange(took, answer), !cut);
  }

  #settle(outcome: (took: ReturnType<typeof tookUntil>) => Exchange, isReusable: boolean): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.#timer);
    this.#connection?.release(isReusable);
    this.#done(outcome(tookUntil(this.#startedAtMs, this.#settings.clock.nowMs())));
  }
}
