import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type AuthorizeRequest,
  type ChargeRef,
  OutcomeUnknown,
} from '../../apps/server/src/domain/payment/gateways/gateway.ts';
import type { ChallengeAnswer, Simulator } from '../../apps/server/src/domain/payment/gateways/simulator/simulator.ts';
import { type GameAnswer, MoodyGame } from './moody-game.ts';
import { ProviderBooks } from './provider-books.ts';

/** What the shop asks of the provider. Methods are not kept in the lab. */
export type ProviderCalls = Pick<
  Simulator,
  'authorize' | 'capture' | 'void' | 'refund' | 'lookUp' | 'dispute' | 'answerChallenge'
>;

/** Everything that is not the shop, as a program sees it. */
export interface Outside {
  provider: ProviderCalls;
  deliver(body: string): Promise<GameAnswer>;
}

export interface World extends Outside {
  books: ProviderBooks;
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
  dispute: ref => books.dispute(ref),
  answerChallenge: (ref, answer) => books.answerChallenge(ref, answer),
});

type Asked = { call: keyof ProviderCalls; request: unknown; answer?: ChallengeAnswer } | { deliver: string };

async function serve({ provider, deliver }: Outside, asked: Asked): Promise<unknown> {
  if ('deliver' in asked) return deliver(asked.deliver);
  if (asked.call === 'answerChallenge') return provider.answerChallenge(asked.request as ChargeRef, asked.answer!);
  // The wire has no types; both ends are this file.
  return provider[asked.call](asked.request as AuthorizeRequest);
}

export async function openWorld(): Promise<World> {
  const books = new ProviderBooks();
  const game = new MoodyGame();
  const outside: Outside = { provider: providerOn(books), deliver: body => game.receive(body) };
  const server = createServer((request, response) => {
    response.on('error', () => {});
    void text(request)
      .then(body => serve(outside, JSON.parse(body) as Asked))
      .then(value => ({ value }))
      .catch((error: unknown) => ({ unknown: String(error) }))
      .then(answer => response.end(JSON.stringify(answer)));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    ...outside,
    books,
    game,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The same world, asked from another process. */
export function remoteOutside(url: string): Outside {
  async function ask<T>(asked: Asked): Promise<T> {
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
      dispute: request => ask({ call: 'dispute', request }),
      answerChallenge: (request, answer) => ask({ call: 'answerChallenge', request, answer }),
    },
    deliver: body => ask({ deliver: body }),
  };
}
