import { createSlots } from '../kit/collections.ts';

export interface LoopOptions<Item> {
  name: string;
  /** Takes what is due, at most `room`, under a lease. */
  claim(room: number): Promise<Item[]>;
  /** Must not throw for what it can record itself; what it throws is reported, and the lease brings the item back. */
  run(item: Item): Promise<void>;
  maxInFlight: number;
  maxBatch?: number;
  pollMs?: number;
  /** With the item that failed, where it was one. */
  onError: (error: unknown, loop: string, item?: Item) => void;
}

export interface Loop {
  /** Something may be due: look now, not at the next poll. */
  wake(): void;
  /** Works off everything that is due now. */
  drain(): Promise<void>;
  /** Claims nothing more and waits for what is in flight. */
  stop(): Promise<void>;
}

/** A look for every single place that falls free would find one item each time. */
const roomWorthALook = (maxInFlight: number): number => Math.max(1, Math.floor(maxInFlight / 8));

/** Claims in batches, runs side by side, and looks again every second in case a wake-up was lost. */
export function createLoop<Item>(options: LoopOptions<Item>): Loop & { start(): void } {
  const { claim, run, maxInFlight, maxBatch = 100, pollMs = 1_000 } = options;
  const inFlight = createSlots<Promise<void>>();
  const enoughRoom = roomWorthALook(maxInFlight);
  let timer: NodeJS.Timeout | undefined;
  let claiming: Promise<void> | undefined;
  let wokenMeanwhile = false;
  let wantsRoom = false;
  let launched = 0;
  let stopped = false;

  function launch(item: Item): void {
    launched += 1;
    const running = run(item)
      .catch((error: unknown) => options.onError(error, options.name, item))
      .finally(() => {
        inFlight.clear(slot);
        if (wantsRoom && maxInFlight - inFlight.size >= enoughRoom) wake();
      });
    const slot = inFlight.put(running);
  }

  async function claimAll(): Promise<void> {
    do {
      wokenMeanwhile = false;
      for (;;) {
        const room = Math.min(maxBatch, maxInFlight - inFlight.size);
        wantsRoom = room <= 0;
        if (stopped || wantsRoom) return;
        const items = await claim(room);
        for (const item of items) launch(item);
        if (items.length < room) break;
      }
    } while (wokenMeanwhile);
  }

  function wake(): void {
    wokenMeanwhile = claiming !== undefined;
    if (stopped || claiming) return;
    claiming = claimAll()
      .catch((error: unknown) => options.onError(error, options.name))
      .finally(() => {
        claiming = undefined;
        if (wokenMeanwhile) wake();
      });
  }

  return {
    wake,
    start() {
      timer = setInterval(wake, pollMs);
      wake();
    },
    async drain() {
      // What was launched may have ended before we look, and there may be more behind it.
      for (let before = -1; before !== launched || inFlight.size > 0; ) {
        before = launched;
        wake();
        await claiming;
        await Promise.all(inFlight);
      }
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await claiming;
      await Promise.all(inFlight);
    },
  };
}
