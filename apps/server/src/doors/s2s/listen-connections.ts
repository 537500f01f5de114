import type { WebSocket } from 'ws';
import { updateListenerLease } from '../../domain/webhook/tunnel/listener.sql.ts';
import type { LocalListener } from '../../domain/webhook/tunnel/listener-hub.ts';
import { closeListener, LISTENER_LEASE_SECONDS } from '../../domain/webhook/tunnel/open-listener.ts';
import { helloOf, type Opened, startForwarding, startTail } from './listen-feeds.ts';
import type { S2sGate, S2sShop } from './s2s-shop.ts';

/** Why the server ends a connection; the command line tells them apart. */
const CLOSE_CODES = {
  stopping: 1001,
  notAFrame: 1008,
  tooSlow: 1013,
  forgotten: 4001,
  disabled: 4002,
  keyRevoked: 4003,
} as const;

const HEARTBEAT_MS = 3_000;
/** So often may the client stay silent. */
const MISSED_HEARTBEATS = 2;
const CLOSE_WAIT_MS = 1_000;
/** Bytes that the client has not read yet. Beyond this it is not reading at all. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
/** Between two heartbeats. An honest client answers fewer. */
const MAX_FRAMES = 10_000;

interface Connection {
  finish(): Promise<void>;
}

function begin(shop: S2sShop, gate: S2sGate, socket: WebSocket, opened: Opened, ended: () => void): Connection {
  const { db, listening } = shop;
  const { id, environmentId } = opened.listener;
  const write = (text: string): void => {
    socket.send(text);
    if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.close(CLOSE_CODES.tooSlow, 'the client does not read');
  };
  write(JSON.stringify(helloOf(opened)));
  const isForward = opened.mode === 'forward';
  const forwarding = isForward ? startForwarding(shop, opened, write) : null;
  const stopTail = isForward ? null : startTail(shop, opened, frame => write(JSON.stringify(frame)));
  let missed = 0;
  let frames = 0;

  async function beat(): Promise<void> {
    frames = 0;
    if (++missed > MISSED_HEARTBEATS) return socket.terminate();
    socket.ping();
    const [lease, key] = await Promise.all([
      updateListenerLease(db, environmentId, id, LISTENER_LEASE_SECONDS),
      gate.authenticateKey(opened.authorization),
    ]);
    if (!key) socket.close(CLOSE_CODES.keyRevoked, 'the key was revoked');
    else if (!lease) socket.close(CLOSE_CODES.forgotten, 'the listener was forgotten, connect again');
    else if (!lease.enabled) socket.close(CLOSE_CODES.disabled, 'the local server answered 410 Gone');
    else forwarding?.look();
  }

  const timer = setInterval(
    () => void beat().catch((error: unknown) => listening.onError(error, 'listen')),
    HEARTBEAT_MS,
  );
  socket.on('pong', () => {
    missed = 0;
  });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const isFrame = !isBinary && ++frames <= MAX_FRAMES && forwarding?.local.hear(data.toString());
    if (!isFrame) socket.close(CLOSE_CODES.notAFrame, 'not a frame of a listener');
  });
  // A broken or oversized frame: ws closes the connection itself and says why.
  socket.on('error', () => {});
  socket.once('close', () => {
    clearInterval(timer);
    stopTail?.();
    forwarding?.stop();
    shop.background(closeListener(db, environmentId, id), 'listener');
    ended();
  });
  return { finish: () => finish(socket, forwarding?.local) };
}

async function finish(socket: WebSocket, local: LocalListener | undefined): Promise<void> {
  await local?.settled();
  const closed = new Promise(resolve => socket.once('close', resolve));
  socket.close(CLOSE_CODES.stopping, 'the server is stopping');
  const timer = setTimeout(() => socket.terminate(), CLOSE_WAIT_MS);
  await closed;
  clearTimeout(timer);
}

export function createListenerConnections(shop: S2sShop, gate: S2sGate) {
  const open = new Set<Connection>();
  let closing = false;
  return {
    isClosing: () => closing,
    begin(socket: WebSocket, opened: Opened): void {
      const connection = begin(shop, gate, socket, opened, () => open.delete(connection));
      open.add(connection);
    },
    async close(): Promise<void> {
      closing = true;
      await Promise.all([...open].map(connection => connection.finish()));
    },
  };
}
