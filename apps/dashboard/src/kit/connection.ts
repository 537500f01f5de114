/** Whether the server can be reached, judged by API calls and by the stream of changes. */

export interface Connection {
  isOffline: boolean;
  /** Milliseconds since the epoch. */
  lastSeenAt: number;
}

const PROBE_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 5_000;

let connection: Connection = { isOffline: false, lastSeenAt: Date.now() };
let probing: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function replace(next: Connection): void {
  connection = next;
  for (const listener of listeners) listener();
}

export const currentConnection = (): Connection => connection;

export function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** A proxy answers with these while the server behind it is down. */
export const isUnavailable = (status: number): boolean => status === 502 || status === 503 || status === 504;

async function isReachable(): Promise<boolean> {
  try {
    const { status } = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    return !isUnavailable(status);
  } catch {
    return false;
  }
}

async function probe(): Promise<void> {
  probing = undefined;
  if (!connection.isOffline) return;
  if (await isReachable()) markOnline();
  else probing ??= setTimeout(() => void probe(), PROBE_EVERY_MS);
}

/** Every answer proves that the server is up. */
export function markOnline(): void {
  clearTimeout(probing);
  probing = undefined;
  if (connection.isOffline) replace({ isOffline: false, lastSeenAt: Date.now() });
  else connection.lastSeenAt = Date.now();
}

/** Probes the server from now on until it answers. */
export function markOffline(): void {
  if (!connection.isOffline) replace({ isOffline: true, lastSeenAt: connection.lastSeenAt });
  probing ??= setTimeout(() => void probe(), PROBE_EVERY_MS);
}

/** One failed request can be a dropped connection, so the server counts as offline only if it does not answer now. */
export async function checkServer(): Promise<void> {
  if (!connection.isOffline && !(await isReachable())) markOffline();
}

/** The server sends a heartbeat every five seconds, even when nothing changes. */
const SILENCE_MS = 12_000;

/**
 * Watches the heartbeat of a stream. While the stream is still opening, silence proves nothing, so the server is
 * probed. If an open stream falls silent, the server hangs and counts as offline.
 */
export function watchHeartbeat() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const arm = (onSilence: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(onSilence, SILENCE_MS);
  };
  const opening = (): void =>
    arm(() => {
      void checkServer();
      opening();
    });
  opening();
  return {
    opening,
    beat(): void {
      markOnline();
      arm(markOffline);
    },
    stop: () => clearTimeout(timer),
  };
}

export async function untilOnline(): Promise<void> {
  if (await isReachable()) return markOnline();
  markOffline();
  await new Promise<void>(done => {
    const stop = onConnection(() => {
      if (connection.isOffline) return;
      stop();
      done();
    });
  });
}

/**
 * Loads a chunk of the app. While the server is offline it waits, because the router reacts to a failed chunk with a
 * page reload, and the browser would then show its own error page. If loading fails again with the server online, a new
 * version has replaced the chunk.
 */
export const loadWhenOnline =
  <Module>(load: () => Promise<Module>): (() => Promise<Module>) =>
  async () => {
    try {
      return await load();
    } catch {
      await untilOnline();
      return load();
    }
  };
