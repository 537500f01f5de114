import type { EventSelector, ListenMode } from '@coinslot/contract';
import type { WebSocket } from 'ws';
import type { Environment } from '../../domain/game/environment.ts';
import { updateListenerLease } from '../../domain/webhook/listen/listener.sql.ts';
import type { LocalListener } from '../../domain/webhook/listen/listener-hub.ts';
import {
  closeListener,
  LISTENER_LEASE_SECONDS,
  type OpenedListener,
} from '../../domain/webhook/listen/open-listener.ts';
import { createEventTail } from '../../domain/webhook/listen/read-events.ts';
import { selectorsOf } from '../../domain/webhook/subscription.ts';
import { eventView } from './event-view.ts';
import type { S2sDeps, S2sGate } from './s2s-deps.ts';

export interface Opened {
  mode: ListenMode;
  environment: Environment;
  listener: OpenedListener;
  authorization: string | undefined;
}

/** Why the server ends a connection; the command line tells them apart. */
export const CLOSE_CODES = {
  stopping: 1001,
  notAFrame: 1008,
  tooSlow: 1013,
  forgotten: 4001,
  disabled: 4002,
  keyRevoked: 4003,
} as const;

const HEARTBEAT_MS = 3_000;
/** So often may the other side stay silent. */
const MISSED_HEARTBEATS = 2;
const TAIL_EVERY_MS = 500;
const FAREWELL_MS = 1_000;
/** What the other side has not read yet. Beyond it the other side has stopped reading. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
/** Between two heartbeats. No developer needs more than that. */
const MAX_FRAMES = 10_000;

const helloOf = ({ mode, environment, listener }: Opened) => ({
  type: 'hello',
  mode,
  listener_id: listener.id,
  events: listener.events,
  takes_items: listener.takesItems,
  signed_with: listener.signedAs ? 'webhook' : 's2s_key',
  webhook_id: listener.signedAs,
  other_listeners: listener.others,
  game_id: environment.gameId,
  game: environment.gameName,
});

interface Connection {
  /** Lets what is in flight come to its end, then says goodbye. */
  finish(): Promise<void>;
}

const wants = (events: EventSelector[], kind: Parameters<typeof selectorsOf>[0]): boolean =>
  selectorsOf(kind).some(selector => events.includes(selector));

/** Every event as it happens; nothing is delivered and nothing waits. */
function startTail({ db, listening }: S2sDeps, opened: Opened, send: (frame: object) => void): () => void {
  const { environment, listener } = opened;
  const tail = createEventTail(db, environment.id, listening.clock.nowMs());
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      for (const event of await tail.look(listening.clock.nowMs())) {
        if (wants(listener.events, event.kind)) send({ type: 'event', event: eventView(environment, event) });
      }
    } catch (error) {
      listening.onError(error, 'listen');
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), TAIL_EVERY_MS);
  return () => clearInterval(timer);
}

/** The items and events of a listener: those of this process by a call, those of the others by the relay. */
function startForwarding({ listening }: S2sDeps, { listener }: Opened, write: (text: string) => void) {
  const local = listening.hub.add(listener.id, write);
  const served = listening.relay.serve(local);
  const stop = (): void => {
    served.stop();
    local.end();
  };
  return { local, look: served.look, stop };
}

function begin(deps: S2sDeps, gate: S2sGate, socket: WebSocket, opened: Opened, ended: () => void): Connection {
  const { db, listening, fulfillment } = deps;
  const { id, environmentId } = opened.listener;
  const write = (text: string): void => {
    socket.send(text);
    if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.close(CLOSE_CODES.tooSlow, 'this connection is not read');
  };
  write(JSON.stringify(helloOf(opened)));
  const isForward = opened.mode === 'forward';
  const forwarding = isForward ? startForwarding(deps, opened, write) : null;
  const stopTail = isForward ? null : startTail(deps, opened, frame => write(JSON.stringify(frame)));
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
    const isHonest = !isBinary && ++frames <= MAX_FRAMES && forwarding?.local.hear(data.toString());
    if (!isHonest) socket.close(CLOSE_CODES.notAFrame, 'not a frame of a listener');
  });
  // A broken or oversized frame: ws closes the connection itself and tells the other side why.
  socket.on('error', () => {});
  socket.once('close', () => {
    clearInterval(timer);
    stopTail?.();
    forwarding?.stop();
    fulfillment.background(closeListener(db, environmentId, id), 'listener');
    ended();
  });
  return { finish: () => finish(socket, forwarding?.local) };
}

async function finish(socket: WebSocket, local: LocalListener | undefined): Promise<void> {
  await local?.settled();
  const closed = new Promise(resolve => socket.once('close', resolve));
  socket.close(CLOSE_CODES.stopping, 'the server is stopping');
  const timer = setTimeout(() => socket.terminate(), FAREWELL_MS);
  await closed;
  clearTimeout(timer);
}

/** The open connections of this process. */
export function createConnections(deps: S2sDeps, gate: S2sGate) {
  const open = new Set<Connection>();
  let closing = false;
  return {
    isClosing: () => closing,
    begin(socket: WebSocket, opened: Opened): void {
      const connection = begin(deps, gate, socket, opened, () => open.delete(connection));
      open.add(connection);
    },
    async close(): Promise<void> {
      closing = true;
      await Promise.all([...open].map(connection => connection.finish()));
    },
  };
}
