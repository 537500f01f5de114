import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { SetupError } from '../kit/setup-error.ts';

function explainPort(error: NodeJS.ErrnoException, setting: string, port: number, host: string): Error {
  const other = `Example: ${setting}=${port < 1024 ? port + 8000 : port + 1}`;
  if (error.code === 'EADDRINUSE')
    return new SetupError(
      `${setting}: another program listens on port ${port} already. Stop it, or take another. ${other}`,
    );
  if (error.code === 'EACCES')
    return new SetupError(`${setting}: this user may not listen on port ${port}. Take one above 1023. ${other}`);
  if (error.code === 'EADDRNOTAVAIL')
    return new SetupError(`HOST: this machine has no address ${host}. Example: HOST=0.0.0.0`);
  return error;
}

/** Fastify's own `listen` would log a line for each address between the program's lines. */
export async function listen(
  app: FastifyInstance,
  setting: 'PORT' | 'OPS_PORT',
  port: number,
  host: string,
): Promise<void> {
  await app.ready();
  await new Promise<void>((resolve, reject) => {
    app.server.once('error', error => reject(explainPort(error, setting, port, host)));
    app.server.listen(port, host, resolve);
  });
}

const CLOSE_IDLE_EVERY_MS = 50;
/** Rounds of the event loop in a row without a new connection; each round accepts every connection that waits. */
const QUIET_ROUNDS = 3;
const MAX_ROUNDS = 1_000;

/** Tracks connections without any request yet. Browsers open them ahead of need, and Node takes them for busy. */
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
 * Closes each connection as soon as it is idle: callers keep connections open after an answer, and each would delay the end
 * until it times out. Node drops its own time limits when it closes, so a request that never ends is cut after `longestMs`.
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

/** Accepts what waits: the system resets connections that the program has not accepted when the port closes. */
async function untilNoneWaits(server: NetServer): Promise<void> {
  let quiet = 0;
  const interrupt = (): void => {
    quiet = 0;
  };
  server.on('connection', interrupt);
  for (let round = 0; round < MAX_ROUNDS && quiet < QUIET_ROUNDS; round++) {
    quiet += 1;
    await new Promise<void>(next => void setImmediate(next));
  }
  server.off('connection', interrupt);
}

/**
 * Closes the port and still serves open connections: a proxy may be about to send a payment on one of them, and must not
 * send it twice.
 */
export async function closePort(app: FastifyInstance, lingerMs: number): Promise<void> {
  if (!app.server.listening) return;
  await untilNoneWaits(app.server);
  // The close of an HTTP server would also end idle connections.
  NetServer.prototype.close.call(app.server);
  await delay(lingerMs);
}
