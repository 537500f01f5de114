import { createSlots } from '../kit/collections.ts';

export interface LoopOptions<Item> {
  name: string;
  /** Takes at most `capacity` items that are due, under a lease. */
  claim(capacity: number): Promise<Item[]>;
  /** Records failures that it expects. What it throws is reported, and the item is claimed again when its lease ends. */
  run(item: Item): Promise<void>;
  maxInFlight: number;
  maxBatch?: number;
  /** `item` is missing when the claim itself failed. */
  onError: (error: unknown, loop: string, item?: Item) => void;
}

export interface Loop {
  wake(): void;
  /** Works off everything that is due now. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/** A claim for each slot that becomes free would find one item each time, so a full loop waits for an eighth of them. */
const capacityToClaim = (maxInFlight: number): number => Math.max(1, Math.floor(maxInFlight / 8));

/** Claims items in batches and runs them side by side whenever it is woken. The lookout wakes it where a wake-up was lost. */
export function createLoop<Item>(options: LoopOptions<Item>): Loop {
  const { claim, run, maxInFlight, maxBatch = 100 } = options;
  const inFlight = createSlots<Promise<void>>();
  const enoughCapacity = capacityToClaim(maxInFlight);
  let claiming: Promise<void> | undefined;
  let wokenMeanwhile = false;
  let isFull = false;
  let launched = 0;
  let stopped = false;

  function launch(item: Item): void {
    launched += 1;
    const running = run(item)
      .catch((error: unknown) => options.onError(error, options.name, item))
      .finally(() => {
        inFlight.clear(slot);
        if (isFull && maxInFlight - inFlight.size >= enoughCapacity) wake();
      });
    const slot = inFlight.put(running);
  }

  async function claimAll(): Promise<void> {
    do {
      wokenMeanwhile = false;
      for (;;) {
        const capacity = Math.min(maxBatch, maxInFlight - inFlight.size);
        isFull = capacity <= 0;
        if (stopped || isFull) return;
        const items = await claim(capacity);
        for (const item of items) launch(item);
        if (items.length < capacity) break;
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
    async drain() {
      // Items may have ended between two looks at `inFlight`, and more may be due behind them.
      for (let before = -1; before !== launched || inFlight.size > 0; ) {
        before = launched;
        wake();
        await claiming;
        await Promise.all(inFlight);
      }
    },
    async stop() {
      stopped = true;
      await claiming;
      await Promise.all(inFlight);
    },
  };
}
