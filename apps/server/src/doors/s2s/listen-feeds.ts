import type { EventSelector, ListenMode } from '@coinslot/contract';
import type { Environment } from '../../domain/game/environment.ts';
import { selectorsOf } from '../../domain/webhook/endpoints/subscription.ts';
import type { OpenedListener } from '../../domain/webhook/tunnel/open-listener.ts';
import { createEventTail, eventView } from '../../domain/webhook/tunnel/read-events.ts';
import { onWire } from '../../kit/on-wire.ts';
import type { S2sShop } from './s2s-shop.ts';

const TAIL_EVERY_MS = 500;

export interface Opened {
  mode: ListenMode;
  environment: Environment;
  listener: OpenedListener;
  authorization: string | undefined;
}

export const helloOf = ({ mode, environment, listener }: Opened) => ({
  type: 'hello',
  mode,
  listener_id: listener.id,
  ...onWire(listener, 'events, takes_items'),
  signed_with: listener.signedAs ? 'webhook' : 's2s_key',
  webhook_id: listener.signedAs,
  other_listeners: listener.others,
  game_id: environment.gameId,
  game: environment.gameName,
});

const wants = (events: EventSelector[], kind: Parameters<typeof selectorsOf>[0]): boolean =>
  selectorsOf(kind).some(selector => events.includes(selector));

/** Every event as it happens; nothing is delivered and nothing waits. */
export function startTail({ db, listening }: S2sShop, opened: Opened, send: (frame: object) => void): () => void {
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
export function startForwarding({ listening }: S2sShop, { listener }: Opened, write: (text: string) => void) {
  const local = listening.hub.add(listener.id, write);
  const served = listening.relay.serve(local);
  const stop = (): void => {
    served.stop();
    local.end();
  };
  return { local, look: served.look, stop };
}
