import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { removeSavedMethod } from '../../domain/payment/saved-methods/forget-method.ts';
import { abandonCheckout, readNextAction, returnToCheckout } from '../../domain/purchase/checkout/player-steps.ts';
import {
  backToPage,
  type CheckoutShop,
  FORM_BYTES,
  openCheckout,
  PRIVATE_HEADERS,
  startAndWait,
  type TokenRoute,
} from './checkout-pages.ts';
import type { PageFacts } from './order-frame.ts';
import { sendAction, wantsData } from './paying.ts';
import { formText } from './read-form.ts';

type Request = FastifyRequest<TokenRoute>;

async function comeBack(shop: CheckoutShop, request: Request): Promise<PageFacts> {
  const opened = await openCheckout(shop, request);
  await startAndWait(shop, returnToCheckout(shop, opened), 'return');
  return opened;
}

export function mountLive(app: FastifyInstance, shop: CheckoutShop): void {
  const options = { bodyLimit: FORM_BYTES };

  app.get<TokenRoute>('/c/:token/return', async (request, reply) => backToPage(await comeBack(shop, request), reply));

  app.post<TokenRoute>('/c/:token/return', options, async (request, reply) => {
    const opened = await comeBack(shop, request);
    return wantsData(request) ? reply.headers(PRIVATE_HEADERS).send({}) : backToPage(opened, reply);
  });

  app.post<TokenRoute>('/c/:token/action', options, (request, reply) => sendAction(shop, request, reply));

  // A link and not a form, because a policy that keeps forms here would keep the player from the bank.
  app.get<TokenRoute>('/c/:token/continue', async (request, reply) => {
    const opened = await openCheckout(shop, request);
    const action = await readNextAction(shop, opened);
    if (!action?.redirectUrl) return backToPage(opened, reply);
    return reply.headers(PRIVATE_HEADERS).redirect(action.redirectUrl, 303);
  });

  const giveUp = async (request: Request, reply: FastifyReply): Promise<FastifyReply> => {
    const opened = await openCheckout(shop, request);
    await startAndWait(shop, abandonCheckout(shop, opened), 'give up');
    return backToPage(opened, reply);
  };
  app.post<TokenRoute>('/c/:token/give-up', options, giveUp);

  // The player said no at the provider, which sends the browser back by a link.
  app.get<TokenRoute>('/c/:token/cancel', giveUp);

  app.post<TokenRoute>('/c/:token/forget', options, async (request, reply) => {
    const opened = await openCheckout(shop, request);
    const { environmentId, playerId } = opened.order;
    const id = formText(request.body, 'saved');
    await startAndWait(shop, removeSavedMethod(shop, { environmentId, playerId, id }), 'forget');
    return backToPage(opened, reply);
  });
}
