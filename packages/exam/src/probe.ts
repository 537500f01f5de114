/** One request to the receiver under examination. Who sends it decides how. */
export interface Probe {
  body: string;
  headers: Record<string, string>;
  /** Sends the body in small pieces over this time, as a slow network does. */
  dripMs?: number;
  /** Cuts the connection once everything was sent, as a service that dies before it hears the answer. */
  cut?: boolean;
}

export type Reply =
  | { kind: 'answer'; status: number; body: string; tookMs: number }
  /** There was none in time, or the connection broke. */
  | { kind: 'none'; reason: string; tookMs: number };

const PIECES = 8;

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** The body as it comes over a slow network. */
export async function* pieces(bytes: Uint8Array, dripMs: number): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.ceil(bytes.length / PIECES));
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
    await pause(dripMs / PIECES);
  }
}

/** How many of a sku a player holds, from `{ "sku": count }` as the game answers it. An unknown player holds nothing. */
export function heldOf(status: number, body: string, sku: string): number {
  if (status === 404) return 0;
  if (status < 200 || status > 299) throw new Error(`the inventory answered ${status}`);
  let held: unknown;
  try {
    held = JSON.parse(body);
  } catch {
    throw new Error('the inventory did not answer with JSON');
  }
  const count = typeof held === 'object' && held !== null ? (held as Record<string, unknown>)[sku] : undefined;
  return typeof count === 'number' ? count : 0;
}
