/** One request to the receiver under test. The command line and the server each send it in their own way. */
export interface Probe {
  body: string;
  headers: Record<string, string>;
  /** Sends the body in small chunks over this time, as a slow network does. */
  dripMs?: number;
  /** Closes the connection once everything was sent, as if the sender crashed before the answer. */
  cut?: boolean;
}

export type Reply =
  | { kind: 'answer'; status: number; body: string; tookMs: number }
  /** No answer came in time, or the connection broke. */
  | { kind: 'none'; reason: string; tookMs: number };

const CHUNKS = 8;

export const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** Yields the body in chunks, as it arrives over a slow network. */
export async function* chunksOf(bytes: Uint8Array, dripMs: number): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.ceil(bytes.length / CHUNKS));
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
    await pause(dripMs / CHUNKS);
  }
}

/** Reads how many of a SKU a player has from the game's answer, `{ "sku": count }`. An unknown player has none. */
export function countInInventory(status: number, body: string, sku: string): number {
  if (status === 404) return 0;
  if (status < 200 || status > 299) throw new Error(`the inventory answered ${status}`);
  let inventory: unknown;
  try {
    inventory = JSON.parse(body);
  } catch {
    throw new Error('the inventory did not answer with JSON');
  }
  const count =
    typeof inventory === 'object' && inventory !== null ? (inventory as Record<string, unknown>)[sku] : undefined;
  return typeof count === 'number' ? count : 0;
}
