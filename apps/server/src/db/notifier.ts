/** Who waits for what in this process. */
export interface Notifier {
  call(key: string): void;
  on(key: string, listener: () => void): () => void;
  /** Resolves when the key is called, after the time, or when the notifier is closed. */
  wait(key: string, timeoutMs: number): Promise<void>;
  /** Every wait ends now, and later ones at once. */
  close(): void;
  isClosed(): boolean;
}

export function createNotifier(): Notifier {
  const listeners = new Map<string, Set<() => void>>();
  const waits = new Set<() => void>();
  let closed = false;

  function on(key: string, listener: () => void): () => void {
    const set = listeners.get(key) ?? new Set();
    listeners.set(key, set.add(listener));
    return () => {
      set.delete(listener);
      if (set.size === 0) listeners.delete(key);
    };
  }

  return {
    on,
    call(key) {
      for (const listener of listeners.get(key) ?? []) listener();
    },
    wait(key, timeoutMs) {
      return new Promise(resolve => {
        if (closed) return resolve();
        const done = (): void => {
          clearTimeout(limit);
          off();
          waits.delete(done);
          resolve();
        };
        const limit = setTimeout(done, timeoutMs);
        const off = on(key, done);
        waits.add(done);
      });
    },
    close() {
      closed = true;
      for (const done of waits) done();
    },
    isClosed: () => closed,
  };
}
