/** Whether the server can be reached, as far as the calls and the stream of changes show. */

export interface Connection {
  isLost: boolean;
  /** When it was last heard of; milliseconds. */
  heardAt: number;
}

const LOOK_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 5_000;

let connection: Connection = { isLost: false, heardAt: Date.now() };
let looking: ReturnType<typeof setTimeout> | undefined;
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

/** A proxy in front answers so while there is no server behind it. */
export const isAway = (status: number): boolean => status === 502 || status === 503 || status === 504;

async function isThere(): Promise<boolean> {
  try {
    const { status } = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    return !isAway(status);
  } catch {
    return false;
  }
}

async function look(): Promise<void> {
  looking = undefined;
  if (!connection.isLost) return;
  if (await isThere()) heardServer();
  else looking ??= setTimeout(() => void look(), LOOK_EVERY_MS);
}

/** An answer came, so the server is there. */
export function heardServer(): void {
  clearTimeout(looking);
  looking = undefined;
  if (connection.isLost) replace({ isLost: false, heardAt: Date.now() });
  else connection.heardAt = Date.now();
}

/** It could not be reached: from now on it is looked for until it answers. */
export function lostServer(): void {
  if (!connection.isLost) replace({ isLost: true, heardAt: connection.heardAt });
  looking ??= setTimeout(() => void look(), LOOK_EVERY_MS);
}

/** Something failed that may be no more than one broken line: only a server that does not answer now is lost. */
export async function suspectServer(): Promise<void> {
  if (!connection.isLost && !(await isThere())) lostServer();
}

/** The server sends a beat every five seconds, also when nothing changes. */
const SILENCE_MS = 12_000;

/**
 * Watches a stream that should beat. One that is not open yet shows nothing by its silence, so the server is asked; one that
 * was, and fell silent, hangs on a server that stands still.
 */
export function watchSilence() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const arm = (fallenSilent: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(fallenSilent, SILENCE_MS);
  };
  const opening = (): void =>
    arm(() => {
      void suspectServer();
      opening();
    });
  opening();
  return {
    opening,
    heard(): void {
      heardServer();
      arm(lostServer);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Resolves once the server answers. */
export async function untilHeard(): Promise<void> {
  if (await isThere()) return heardServer();
  lostServer();
  await new Promise<void>(done => {
    const stop = onConnection(() => {
      if (connection.isLost) return;
      stop();
      done();
    });
  });
}

/**
 * Loads a part of the app. Without the server it waits, because a page that fails to load is loaded anew by the router, and the
 * browser would then show its own error. What fails although the server is there was replaced by a new version.
 */
export const patiently =
  <Module>(load: () => Promise<Module>): (() => Promise<Module>) =>
  async () => {
    try {
      return await load();
    } catch {
      await untilHeard();
      return load();
    }
  };
