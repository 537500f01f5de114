import { type ListenAnswer, type ListenRequest, readListenerFrame } from './listen-frames.ts';

/** A connection to a developer's computer that this process holds. */
export interface LocalListener {
  readonly subscriptionId: string;
  /** Resolves with whatever comes first: the answer, the time limit, the end of the connection. */
  forward(request: ListenRequest): Promise<ListenAnswer>;
  /** A frame from the other side; false when no honest one would send it. */
  hear(text: string): boolean;
  settled(): Promise<void>;
  end(): void;
}

export interface ListenerHub {
  add(subscriptionId: string, send: (text: string) => void): LocalListener;
  find(subscriptionId: string): LocalListener | undefined;
}

const GONE: ListenAnswer = {
  kind: 'failed',
  failure: 'broken',
  reason: 'the listener disconnected before it answered',
};

const tooLate = (timeoutMs: number): ListenAnswer => ({
  kind: 'failed',
  failure: 'timeout',
  reason: `no answer within ${timeoutMs / 1000} s`,
});

export function createListenerHub(): ListenerHub {
  const listeners = new Map<string, LocalListener>();
  return {
    find: subscriptionId => listeners.get(subscriptionId),
    add(subscriptionId, send) {
      const waiting = new Map<string, (answer: ListenAnswer) => void>();
      const inFlight = new Set<Promise<ListenAnswer>>();
      let ended = false;

      const ask = (request: ListenRequest): Promise<ListenAnswer> =>
        new Promise(resolve => {
          const done = (answer: ListenAnswer): void => {
            clearTimeout(limit);
            waiting.delete(request.id);
            resolve(answer);
          };
          const limit = setTimeout(() => done(tooLate(request.timeoutMs)), request.timeoutMs);
          waiting.set(request.id, done);
          const { id, headers, body, timeoutMs } = request;
          send(JSON.stringify({ type: 'request', id, timeout_ms: timeoutMs, headers, body }));
        });

      const listener: LocalListener = {
        subscriptionId,
        forward(request) {
          if (ended) return Promise.resolve(GONE);
          const answer = ask(request);
          inFlight.add(answer);
          return answer.finally(() => inFlight.delete(answer));
        },
        hear(text) {
          const frame = readListenerFrame(text);
          if (!frame) return false;
          // An answer that came too late, or twice, changes nothing.
          waiting.get(frame.id)?.(frame.answer);
          return true;
        },
        settled: async () => void (await Promise.all(inFlight)),
        end() {
          ended = true;
          listeners.delete(subscriptionId);
          for (const done of waiting.values()) done(GONE);
        },
      };
      listeners.set(subscriptionId, listener);
      return listener;
    },
  };
}
