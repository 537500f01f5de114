import type { OrderStatus } from '@coinslot/sdk';
import { offerOf } from './offers.ts';

export interface Purchase {
  orderId: string;
  name: string;
  price: string;
  status: OrderStatus;
  checkoutUrl: string;
  /** A note, such as why the game declined. */
  note: string | null;
}

/** A webhook and the game's response. */
export interface Received {
  time: number;
  kind: string;
  what: string;
  answer: string;
}

/** The game's whole state, as shown on the page. */
export interface World {
  player: { id: string; name: string };
  digs: number;
  level: number;
  digsToNextLevel: number;
  crystals: number;
  eggs: number;
  purchases: Purchase[];
  received: Received[];
}

const DIGS_PER_LEVEL = 5;
const REMEMBERED = 12;

export interface Game {
  world(): World;
  dig(): void;
  levelAllows(sku: string): boolean;
  /** Adds items; a negative number removes them. */
  give(sku: string, pieces: number): void;
  /** What a receiver in another language says that the player has. */
  hold(sku: string, pieces: number): void;
  remember(purchase: Purchase): void;
  update(orderId: string, change: Partial<Purchase>): void;
  purchase(orderId: string): Purchase | undefined;
  hear(received: Omit<Received, 'time'>): void;
  /** Calls back on every change. Returns a function to unsubscribe. */
  watch(listener: (world: World) => void): () => void;
}

/** In memory. A real game has a database here, and grants inside a transaction. */
export function createGame(): Game {
  let digs = 0;
  const held = new Map<string, number>();
  const purchases: Purchase[] = [];
  const received: Received[] = [];
  const listeners = new Set<(world: World) => void>();

  const level = (): number => 1 + Math.floor(digs / DIGS_PER_LEVEL);
  const world = (): World => ({
    player: { id: 'player_1', name: 'Mika' },
    digs,
    level: level(),
    digsToNextLevel: DIGS_PER_LEVEL - (digs % DIGS_PER_LEVEL),
    crystals: [...held].reduce((sum, [sku, pieces]) => sum + pieces * (offerOf(sku)?.crystals ?? 0), 0),
    eggs: held.get('dragon_egg') ?? 0,
    purchases,
    received,
  });
  const changed = (): void => {
    for (const listener of listeners) listener(world());
  };

  return {
    world,
    dig() {
      digs += 1;
      changed();
    },
    levelAllows: sku => level() >= (offerOf(sku)?.level ?? 1),
    give(sku, pieces) {
      held.set(sku, (held.get(sku) ?? 0) + pieces);
      changed();
    },
    hold(sku, pieces) {
      held.set(sku, pieces);
      changed();
    },
    remember(purchase) {
      purchases.unshift(purchase);
      purchases.splice(REMEMBERED);
      changed();
    },
    update(orderId, change) {
      const found = purchases.find(one => one.orderId === orderId);
      if (!found) return;
      Object.assign(found, change);
      changed();
    },
    purchase: orderId => purchases.find(one => one.orderId === orderId),
    hear(one) {
      received.unshift({ time: Date.now(), ...one });
      received.splice(REMEMBERED);
      changed();
    },
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
