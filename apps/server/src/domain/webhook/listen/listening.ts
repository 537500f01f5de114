import { createListenerHub, type ListenerHub } from './listener-hub.ts';
import { createRelay, type Relay, type RelayDeps } from './relay.ts';

/** What reaches the listeners, of this process and of the others. */
export interface Listening extends Pick<RelayDeps, 'clock' | 'onError'> {
  hub: ListenerHub;
  relay: Relay;
}

export function createListening(deps: Omit<RelayDeps, 'hub'>): Listening {
  const hub = createListenerHub();
  return { hub, relay: createRelay({ ...deps, hub }), clock: deps.clock, onError: deps.onError };
}
