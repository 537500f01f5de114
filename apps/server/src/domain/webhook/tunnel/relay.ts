import type { Db } from '../../../db/db.ts';
import type { Signals } from '../../../db/signals.ts';
import type { Clock } from '../../../kit/clock.ts';
import { newId } from '../../../kit/ids.ts';
import type { Sender, SendRequest } from '../sending/send.ts';
import { exchangeOf, type ListenAnswer, type ListenRequest } from './listen-frames.ts';
import {
  claimListenRequests,
  deleteListenRequest,
  findListenAnswer,
  insertListenRequest,
  type RequestRef,
  updateListenAnswer,
} from './listener.sql.ts';
import { createListenerHub, type ListenerHub, type LocalListener } from './listener-hub.ts';

export interface RelayOptions {
  db: Db;
  signals: Signals;
  hub: ListenerHub;
  clock: Clock;
  onError: (error: unknown, source: string) => void;
  timeoutMs?: number;
}

export interface Relay {
  around(sender: Sender): Sender;
  /** Takes what other processes have for this listener, until the function it returns is called. */
  serve(listener: LocalListener): { look(): void; stop(): void };
}

const TIMEOUT_MS = 10_000;
/** A signal may be lost with the process that sent it; the next look cannot. */
const LOOK_EVERY_MS = 1_000;

export const LISTEN_URL = 'listen:';

const wakeKey = (subscriptionId: string): string => `listen:${subscriptionId}`;
const answerKey = (requestId: string): string => `listened:${requestId}`;

const GONE: ListenAnswer = { kind: 'failed', failure: 'connect', reason: 'the listener is not connected any more' };
const BROKEN: ListenAnswer = { kind: 'failed', failure: 'broken', reason: 'the way to the listener is broken' };

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

const textOf = (body: SendRequest['body']): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString('utf8');

const listenRequestOf = ({ headers, body }: SendRequest, timeoutMs: number): ListenRequest => ({
  id: newId('req'),
  headers: { 'content-type': 'application/json', ...headers },
  body: textOf(body),
  timeoutMs,
});

/**
 * From the process that attempts a delivery to the one that holds the developer's connection. In the same process it is
 * a call; between two it is a row, with a signal in each direction.
 */
function createRelay({ db, signals, hub, clock, onError, timeoutMs = TIMEOUT_MS }: RelayOptions): Relay {
  async function waitFor(ref: RequestRef, deadlineMs: number): Promise<ListenAnswer> {
    for (;;) {
      const answer = await findListenAnswer(db, ref);
      if (answer) return answer;
      const leftMs = deadlineMs - clock.nowMs();
      if (leftMs <= 0) {
        return { kind: 'failed', failure: 'timeout', reason: `no answer within ${timeoutMs / 1000} s` };
      }
      const stepMs = Math.min(leftMs, LOOK_EVERY_MS);
      // A program that is going down waits no more, but this attempt is still worth its time.
      await (signals.isEnding() ? pause(Math.min(stepMs, 100)) : signals.wait(answerKey(ref.id), stepMs));
    }
  }

  async function throughAnotherProcess(subscriptionId: string, request: ListenRequest): Promise<ListenAnswer> {
    const deadlineMs = clock.nowMs() + timeoutMs;
    const ref = await insertListenRequest(db, subscriptionId, request.id, request);
    if (!ref) return GONE;
    signals.announce(wakeKey(subscriptionId));
    try {
      return await waitFor(ref, deadlineMs);
    } finally {
      await deleteListenRequest(db, ref);
    }
  }

  async function reach(subscriptionId: string, request: ListenRequest): Promise<ListenAnswer> {
    try {
      const local = hub.find(subscriptionId);
      return await (local ? local.forward(request) : throughAnotherProcess(subscriptionId, request));
    } catch (error) {
      onError(error, 'listen');
      return BROKEN;
    }
  }

  async function take(listener: LocalListener): Promise<void> {
    const waiting = await claimListenRequests(db, listener.subscriptionId, timeoutMs / 1000);
    await Promise.all(
      waiting.map(async ({ environmentId, id, request }) => {
        await updateListenAnswer(db, { environmentId, id }, await listener.forward(request));
        signals.announce(answerKey(id));
      }),
    );
  }

  return {
    around: sender => ({
      async send(request) {
        if (!request.url.startsWith(LISTEN_URL)) return sender.send(request);
        const startedAtMs = clock.nowMs();
        const answer = await reach(request.url.slice(LISTEN_URL.length), listenRequestOf(request, timeoutMs));
        return exchangeOf(answer, startedAtMs, clock.nowMs());
      },
      close: () => sender.close(),
    }),
    serve(listener) {
      const look = (): void => void take(listener).catch((error: unknown) => onError(error, 'listen'));
      const stop = signals.on(wakeKey(listener.subscriptionId), look);
      look();
      return { look, stop };
    },
  };
}

export interface Listening extends Pick<RelayOptions, 'clock' | 'onError'> {
  hub: ListenerHub;
  relay: Relay;
}

export function createListening(shop: Omit<RelayOptions, 'hub'>): Listening {
  const hub = createListenerHub();
  return { hub, relay: createRelay({ ...shop, hub }), clock: shop.clock, onError: shop.onError };
}
