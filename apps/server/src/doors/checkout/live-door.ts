import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { removeSavedMethod } from '../../domain/payment/saved-methods/forget-method.ts';
import { abandonCheckout, readNextAction, returnToCheckout } from '../../domain/purchase/checkout/player-steps.ts';
import {
  backToPage,
  type CheckoutDeps,
  FORM_BYTES,
  openCheckout,
  PRIVATE_HEADERS,
  type TokenRoute,
} from './checkout-pages.ts';
import type { PageFacts } from './page-view.ts';
import { textOf } from './read-form.ts';
import { startAndWait } from './start-and-wait.ts';

type Request = FastifyRequest<TokenRoute>;

/** The page's script asks for data; a form without script gets a page. */
export const wantsData = ({ headers }: Request): boolean => (headers.accept ?? '').includes('application/json');

export async function sendAction(deps: CheckoutDeps, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const action = await readNextAction(deps.purchasing, await openCheckout(deps, request));
  return reply.headers(PRIVATE_HEADERS).send({
    action: action && { client_secret: action.clientSecret, redirect_url: action.redirectUrl },
  });
}

async function comeBack(deps: CheckoutDeps, request: Request): Promise<PageFacts> {
  const opened = await openCheckout(deps, request);
  await startAndWait(deps.purchasing, returnToCheckout(deps.purchasing, opened), 'return');
  return opened;
}

export function mountLive(app: FastifyInstance, deps: CheckoutDeps): void {
  const { purchasing } = deps;
  const options = { bodyLimit: FORM_BYTES };

  app.get<TokenRoute>('/c/:token/return', async (request, reply) => backToPage(await comeBack(deps, request), reply));

  app.post<TokenRoute>('/c/:token/return', options, async (request, reply) => {
    const opened = await comeBack(deps, request);
    return wantsData(request) ? reply.headers(PRIVATE_HEADERS).send({}) : backToPage(opened, reply);
  });

  app.post<TokenRoute>('/c/:token/action', options, (request, reply) => sendAction(deps, request, reply));

  // A link and not a form, because a policy that keeps forms here would keep the player from the bank.
  app.get<TokenRoute>('/c/:token/continue', async (request, reply) => {
    const opened = await openCheckout(deps, request);
    const action = await readNextAction(purchasing, opened);
    if (!action?.redirectUrl) return backToPage(opened, reply);
    return reply.headers(PRIVATE_HEADERS).redirect(action.redirectUrl, 303);
  });

  const giveUp = async (request: Request, reply: FastifyReply): Promise<FastifyReply> => {
    const opened = await openCheckout(deps, request);
    await startAndWait(purchasing, abandonCheckout(purchasing, opened), 'give up');
    return backToPage(opened, reply);
  };
  app.post<TokenRoute>('/c/:token/give-up', options, giveUp);

  // The player said no at the provider, which sends the browser back by a link.
  app.get<TokenRoute>('/c/:token/cancel', giveUp);

  app.post<TokenRoute>('/c/:token/forget', options, async (request, reply) => {
    const opened = await openCheckout(deps, request);
    const { environmentId, playerId } = opened.order;
    const id = textOf(request.body, 'saved');
    await startAndWait(purchasing, removeSavedMethod(purchasing, { environmentId, playerId, id }), 'forget');
    return backToPage(opened, reply);
  });
}
