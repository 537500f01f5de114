import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type AuthorizeRequest,
  type ChargeRef,
  OutcomeUnknown,
} from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';
import type { ChallengeAnswer } from '../../../apps/server/src/domain/payment/providers/simulator/simulated-steps.ts';
import type { Simulator } from '../../../apps/server/src/domain/payment/providers/simulator/simulator.ts';
import { type GameAnswer, MoodyGame } from './moody-game.ts';
import { PaypalBank } from './paypal-bank.ts';
import { ProviderBooks } from './provider-books.ts';
import { StripeBank } from './stripe-bank.ts';

/** What the shop asks of the provider that stands behind the gateway's interface. */
export type ProviderCalls = Pick<
  Simulator,
  'authorize' | 'capture' | 'void' | 'refund' | 'lookUp' | 'answerChallenge' | 'saveMethod'
>;

/** Everything that is not the shop, as a program sees it. */
export interface Outside {
  provider: ProviderCalls;
  /** Whether this environment's money goes over a provider's own wire. */
  isWired(environmentId: string): Promise<boolean>;
  deliver(body: string): Promise<GameAnswer>;
}

export interface World extends Outside {
  books: ProviderBooks;
  stripe: StripeBank;
  paypal: PaypalBank;
  /** Environments whose money goes over a provider's own wire. */
  wiredEnvironments: Set<string>;
  game: MoodyGame;
  /** For programs in processes of their own. */
  url: string;
  close(): Promise<void>;
}

const providerOn = (books: ProviderBooks): ProviderCalls => ({
  authorize: request => books.authorize(request),
  capture: ref => books.capture(ref as Parameters<ProviderBooks['capture']>[0]),
  void: ref => books.void(ref),
  refund: ref => books.refund(ref),
  lookUp: ref => books.lookUp(ref),
  answerChallenge: (ref, answer) => books.answerChallenge(ref, answer),
  saveMethod: ref => books.saveMethod(ref),
});

type Request =
  | { call: keyof ProviderCalls; request: unknown; answer?: ChallengeAnswer }
  | { deliver: string }
  | { isWired: string };

async function serve({ provider, deliver, isWired }: Outside, asked: Request): Promise<unknown> {
  if ('isWired' in asked) return isWired(asked.isWired);
  if ('deliver' in asked) return deliver(asked.deliver);
  if (asked.call === 'answerChallenge') return provider.answerChallenge(asked.request as ChargeRef, asked.answer!);
  // The wire has no types; both ends are this file.
  return provider[asked.call](asked.request as AuthorizeRequest & { playerId: string });
}

export async function openWorld(nowSeconds: () => number): Promise<World> {
  const game = new MoodyGame();
  const view = { nowSeconds, isGranted: (orderId: string): boolean => game.confirmed.has(orderId) };
  const books = new ProviderBooks(view);
  const stripe = await StripeBank.open(view);
  const paypal = await PaypalBank.open(view);
  const wiredEnvironments = new Set<string>();
  const outside: Outside = {
    provider: providerOn(books),
    isWired: async environmentId => wiredEnvironments.has(environmentId),
    deliver: body => game.receive(body),
  };
  const server = createServer((request, response) => {
    response.on('error', () => {});
    void text(request)
      .then(body => serve(outside, JSON.parse(body) as Request))
      .then(value => ({ value }))
      .catch((error: unknown) => ({ unknown: String(error) }))
      .then(answer => response.end(JSON.stringify(answer)));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    ...outside,
    books,
    stripe,
    paypal,
    wiredEnvironments,
    game,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await stripe.close();
      await paypal.close();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** The same world, asked from another process. */
export function remoteOutside(url: string): Outside {
  const known = new Map<string, boolean>();
  async function ask<T>(asked: Request): Promise<T> {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(asked) });
    const answer = (await response.json()) as { value: T } | { unknown: string };
    if ('unknown' in answer) throw new OutcomeUnknown(answer.unknown);
    return answer.value;
  }
  return {
    provider: {
      authorize: request => ask({ call: 'authorize', request }),
      capture: request => ask({ call: 'capture', request }),
      void: request => ask({ call: 'void', request }),
      refund: request => ask({ call: 'refund', request }),
      lookUp: request => ask({ call: 'lookUp', request }),
      answerChallenge: (request, answer) => ask({ call: 'answerChallenge', request, answer }),
      saveMethod: request => ask({ call: 'saveMethod', request }),
    },
    async isWired(environmentId) {
      const uses = known.get(environmentId) ?? (await ask<boolean>({ isWired: environmentId }));
      known.set(environmentId, uses);
      return uses;
    },
    deliver: body => ask({ deliver: body }),
  };
}
