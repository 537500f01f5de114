import { setTimeout as pause } from 'node:timers/promises';
import { CARDS } from '@coinslot/testing/program';
import { Customer, type Promised } from './customer.ts';
import { MOODS, type Mood } from './honest-game.ts';
import type { ProgramProcess } from './program-process.ts';

export type { Promised } from './customer.ts';

type Journey = (customer: Customer) => Promise<void>;

/** What a player may do with an order. None of them checks anything: the oracle does, when all is quiet. */
const JOURNEYS: Readonly<Record<string, Journey>> = {
  async pays(customer) {
    await customer.payUntilTaken(CARDS.success);
  },
  async 'is declined, then pays'(customer) {
    await customer.pay(CARDS.decline);
    await customer.payUntilTaken(CARDS.success);
  },
  async 'is declined and leaves'(customer) {
    await customer.pay(CARDS.noFunds);
  },
  async 'completes the challenge'(customer) {
    await customer.pay(CARDS.challenge);
    await customer.answerChallenge('complete');
  },
  async 'fails the challenge, then pays'(customer) {
    await customer.pay(CARDS.challenge);
    await customer.answerChallenge('fail');
    await customer.payUntilTaken(CARDS.success);
  },
  async 'walks away from the challenge'(customer) {
    await customer.pay(CARDS.challenge);
  },
  async 'loses a dispute for the shop'(customer) {
    await customer.payUntilTaken(CARDS.disputeLost);
  },
  async 'loses a dispute'(customer) {
    await customer.payUntilTaken(CARDS.disputeWon);
  },
  async 'pays and is refunded'(customer) {
    await customer.payUntilTaken(CARDS.success);
    await customer.until('paid', 'rejected');
    await customer.refund();
  },
  async 'is refunded while the game is asked'(customer) {
    const paying = customer.pay(CARDS.success);
    await customer.until('authorized', 'paid', 'rejected');
    await customer.refund();
    await paying;
  },
  async 'is refunded by two people'(customer) {
    await customer.payUntilTaken(CARDS.success);
    await customer.until('paid', 'rejected');
    await Promise.all([customer.refund(), customer.refund()]);
  },
  async 'disputes and is refunded'(customer) {
    await customer.payUntilTaken(CARDS.disputeLost);
    await customer.until('paid', 'disputed', 'charged_back', 'rejected');
    await customer.refund();
  },
  async cancels(customer) {
    await customer.cancel();
  },
  async 'cancels while paying'(customer) {
    await Promise.all([customer.pay(CARDS.success), customer.cancel()]);
  },
  async 'pays in two tabs'(customer) {
    await Promise.all([customer.pay(CARDS.success), customer.pay(CARDS.success)]);
    await customer.payUntilTaken(CARDS.success);
  },
  async 'pays in two tabs with two cards'(customer) {
    await Promise.all([customer.pay(CARDS.challenge), customer.pay(CARDS.disputeWon)]);
    await customer.answerChallenge('complete');
  },
  async 'claims a gift'(customer) {
    await customer.claim();
  },
};

const ORDERS_WITHIN_MS = 600_000;

const KINDS = Object.keys(JOURNEYS);

export interface LoadOptions {
  url: () => Promise<string>;
  key: string;
  /** In [0, 1); the same seed gives the same players. */
  random: () => number;
  /** No more orders than this in any case. */
  maxOrders: number;
}

export interface Load {
  /** What every customer was told. */
  readonly promised: readonly Promised[];
  /** Answers that no caller should ever get. */
  readonly surprises: readonly string[];
  /** Waits until so many were asked for in all. */
  untilOrders(count: number): Promise<void>;
  /** From now on the game answers well whatever they buy, so that its endpoint recovers. */
  calm(): void;
  /** One more player, who makes the same journey again and again, at this program while it lives. */
  repeat(kind: string, mood: Mood, program: ProgramProcess): void;
  /** Lets every player finish what they do. */
  stop(): Promise<void>;
}

/** Players side by side, each buying one thing after the other. Each kind of journey gets its turn. */
export function startLoad(players: number, { url, key, random, maxOrders }: LoadOptions): Load {
  const promised: Promised[] = [];
  const surprises: string[] = [];
  const playing: Promise<void>[] = [];
  const stopping = new AbortController();
  const isStopped = (): boolean => stopping.signal.aborted;
  let begun = 0;
  let isCalm = false;

  async function journey(kind: string, mood: Mood, where: () => Promise<string>): Promise<void> {
    begun++;
    const customer = new Customer({ url: where, key, surprises, isStopped });
    const amountMinor = kind === 'claims a gift' ? 0 : 100 + Math.floor(random() * 9_900);
    await customer.createOrder(`player_${begun % players}`, amountMinor, mood, kind, random() < 0.3);
    promised.push(customer.promised);
    await JOURNEYS[kind]!(customer);
  }

  async function play(): Promise<void> {
    while (!isStopped() && begun < maxOrders) {
      const mood = MOODS[Math.floor(random() ** 2 * MOODS.length)]!;
      await journey(KINDS[begun % KINDS.length]!, isCalm ? 'well' : mood, url);
    }
  }

  playing.push(...Array.from({ length: players }, play));
  return {
    promised,
    surprises,
    async untilOrders(count) {
      const deadline = Date.now() + ORDERS_WITHIN_MS;
      while (promised.length < count) {
        if (Date.now() > deadline) throw new Error(`only ${promised.length} of ${count} orders were made`);
        await pause(10);
      }
    },
    calm() {
      isCalm = true;
    },
    repeat(kind, mood, program) {
      const again = async (): Promise<void> => {
        await program.settled;
        while (!program.hasEnded) await journey(kind, mood, async () => program.url ?? url());
      };
      playing.push(again());
    },
    async stop() {
      stopping.abort();
      await Promise.all(playing);
    },
  };
}
