import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const CLOSE_IDLE_EVERY_MS = 50;
/** Turns of the event loop in a row, each of which accepts every connection that waits. */
const QUIET_TURNS = 3;
const MOST_TURNS = 1_000;

/** Connections on which nothing was said yet, as browsers open them ahead of need. Node takes them for busy. */
export function watchSilent(app: FastifyInstance): Set<Socket> {
  const silent = new Set<Socket>();
  app.server.on('connection', socket => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  app.server.on('request', ({ socket }) => silent.delete(socket));
  return silent;
}

/**
 * A connection that is busy now is kept open by its caller after the answer, and would hold up the end until it times out.
 * Node ends its own time limits when it closes, so what never finishes a request is given as long as a request may take.
 */
export function closeAsTheyFallIdle(app: FastifyInstance, silent: ReadonlySet<Socket>, longestMs: number): void {
  const { server } = app;
  const closeIdle = (): void => {
    server.closeIdleConnections();
    for (const socket of silent) if (socket.bytesRead === 0) socket.destroy();
  };
  const timer = setInterval(closeIdle, CLOSE_IDLE_EVERY_MS).unref();
  const last = setTimeout(() => server.closeAllConnections(), longestMs).unref();
  server.once('close', () => {
    clearInterval(timer);
    clearTimeout(last);
  });
}

/** Connections that the system took and the program did not yet are reset when the port closes, with what was sent on them. */
async function untilNoneWaits(server: NetServer): Promise<void> {
  let quiet = 0;
  const interrupt = (): void => {
    quiet = 0;
  };
  server.on('connection', interrupt);
  for (let turn = 0; turn < MOST_TURNS && quiet < QUIET_TURNS; turn++) {
    quiet += 1;
    await new Promise<void>(next => void setImmediate(next));
  }
  server.off('connection', interrupt);
}

/**
 * Closes the port and goes on serving what is connected: a proxy may be about to send a payment on a connection that it
 * kept open, and may not send it twice.
 */
export async function closePort(app: FastifyInstance, lingerMs: number): Promise<void> {
  if (!app.server.listening) return;
  await untilNoneWaits(app.server);
  // The close of an HTTP server would also end idle connections.
  NetServer.prototype.close.call(app.server);
  await delay(lingerMs);
}
