export interface TickerOptions {
  name: string;
  /** Missing: it runs only when it is woken. */
  everyMs?: number;
  /** Returns true when there may be more to do at once. */
  work: () => Promise<boolean>;
  onError: (error: unknown, source: string) => void;
}

export interface Ticker {
  start(): void;
  wake(): void;
  /** Runs until nothing is left to do now. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/** Repeats a sweep at an interval; two runs never overlap. */
export function createTicker({ name, everyMs, work, onError }: TickerOptions): Ticker {
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function run(): Promise<void> {
    try {
      let isMore = true;
      while (isMore) isMore = (await work()) && !stopped;
    } catch (error) {
      onError(error, name);
    }
  }

  function wake(): void {
    if (stopped || running) return;
    running = run().finally(() => {
      running = undefined;
    });
  }

  return {
    wake,
    start() {
      if (everyMs === undefined) return;
      timer = setInterval(wake, everyMs);
      wake();
    },
    async drain() {
      await running;
      wake();
      await running;
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
