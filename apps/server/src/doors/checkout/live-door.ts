import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type PayOrder, payOrder } from '../../domain/fulfillment/pay-order.ts';
import { abandonPayment } from '../../domain/fulfillment/sync-payment.ts';
import { walkFromRow } from '../../domain/fulfillment/walk.ts';
import type { NextAction } from '../../domain/payment/gateways/gateway.ts';
import { openSavedMethod, removeSavedMethod } from '../../domain/payment/remove-saved-method.ts';
import {
  backToPage,
  type CheckoutDeps,
  type Opened,
  openCheckout,
  PRIVATE_HEADERS,
  showPage,
  type TokenRoute,
} from './checkout-pages.ts';
import { formProblem } from './form-problem.ts';
import type { LiveFacts } from './live-facts.ts';
import type { Telemetry } from './page-events.ts';
import { type PageFacts, pageState, type RefusedForm } from './page-view.ts';
import { textOf } from './read-form.ts';
import { readLivePayForm } from './read-live-form.ts';
import { payAndWait, startAndWait } from './start-and-wait.ts';

type Request = FastifyRequest<TokenRoute>;
type Payable = Pick<PayOrder, 'method' | 'email' | 'payWith' | 'saveMethod' | 'gateway'>;

const FORM_BYTES = 16 * 1024;

/** The page's script asks for data; a form without script gets a page. */
const wantsData = ({ headers }: Request): boolean => (headers.accept ?? '').includes('application/json');

const refOf = ({ order, payment }: Opened) => ({ environmentId: order.environmentId, paymentId: payment!.id });

const isUndecided = ({ payment }: Opened): boolean =>
  payment?.status === 'pending' || payment?.status === 'requires_action';

/** One tap. Only methods that this player saved in this environment are found at all. */
async function savedPayable(
  { fulfillment }: CheckoutDeps,
  opened: Opened,
  { providers }: LiveFacts,
  id: string,
): Promise<Payable | RefusedForm> {
  const { environmentId, playerId, email } = opened.order;
  const found = await openSavedMethod(fulfillment, { environmentId, playerId, id });
  const gateway = providers.find(one => one.gateway.name === found?.saved.gateway)?.gateway;
  if (!found || !gateway) return { email: email ?? '', fieldErrors: {}, problem: 'saved_gone' };
  const { saved, token } = found;
  return { gateway, method: saved.method, email: saved.email ?? email, payWith: { kind: 'saved_method', token } };
}

function payable(
  deps: CheckoutDeps,
  opened: Opened,
  live: LiveFacts,
  { body }: Request,
): Promise<Payable | RefusedForm> {
  const saved = textOf(body, 'saved');
  return saved === ''
    ? Promise.resolve(readLivePayForm(body, live, opened.now))
    : savedPayable(deps, opened, live, saved);
}

/** What the player must do next. Always asked of the provider, never stored. */
async function nextActionOf({ fulfillment }: CheckoutDeps, opened: Opened): Promise<NextAction | null> {
  const { payment } = opened;
  if (payment?.status !== 'requires_action') return null;
  const charge = await fulfillment.gateways[payment.gateway]?.lookUp(refOf(opened));
  return charge?.status === 'requires_action' ? (charge.nextAction ?? null) : null;
}

async function sendAction(deps: CheckoutDeps, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const action = await nextActionOf(deps, await openCheckout(deps, request));
  return reply.headers(PRIVATE_HEADERS).send({
    action: action && { client_secret: action.clientSecret, redirect_url: action.redirectUrl },
  });
}

/** A saved method that the provider no longer has is not offered again. */
async function forgetIfGone(deps: CheckoutDeps, request: Request, id: string): Promise<void> {
  const { order, payment } = await openCheckout(deps, request);
  if (formProblem(payment) !== 'saved_gone') return;
  const { environmentId, playerId } = order;
  await removeSavedMethod(deps.fulfillment, { environmentId, playerId, id });
}

const readyLive = ({ live }: PageFacts, opened: Opened): LiveFacts | null =>
  pageState(opened.page) === 'ready' ? live : null;

export async function payLive(
  deps: CheckoutDeps,
  telemetry: Telemetry,
  opened: Opened,
  request: Request,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const live = readyLive(opened.page, opened);
  if (!live) return wantsData(request) ? sendAction(deps, request, reply) : backToPage(opened, reply);
  const form = await payable(deps, opened, live, request);
  if ('fieldErrors' in form) return showPage(deps, opened, reply, form);
  telemetry.submitted(opened);
  const { environmentId, id: orderId } = opened.order;
  const saved = textOf(request.body, 'saved');
  await payAndWait(deps.fulfillment, onBegun => {
    const paying = payOrder(deps.fulfillment, {
      ...form,
      environmentId,
      orderId,
      returnUrl: `${deps.publicUrl}${opened.base}`,
      brandName: opened.page.gameName,
      onBegun,
    });
    return saved === '' ? paying : paying.then(() => forgetIfGone(deps, request, saved));
  });
  return wantsData(request) ? sendAction(deps, request, reply) : backToPage(opened, reply);
}

/** The player is back from the bank, or the provider's script has finished: the provider is asked for the outcome. */
async function comeBack(deps: CheckoutDeps, request: Request): Promise<Opened> {
  const opened = await openCheckout(deps, request);
  if (opened.mode === 'live' && isUndecided(opened)) {
    await startAndWait(deps.fulfillment, walkFromRow(deps.fulfillment, refOf(opened)), 'return');
  }
  return opened;
}

export function mountLive(app: FastifyInstance, deps: CheckoutDeps): void {
  const { fulfillment } = deps;
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
    const action = await nextActionOf(deps, opened);
    if (!action?.redirectUrl) return backToPage(opened, reply);
    return reply.headers(PRIVATE_HEADERS).redirect(action.redirectUrl, 303);
  });

  const giveUp = async (request: Request, reply: FastifyReply): Promise<FastifyReply> => {
    const opened = await openCheckout(deps, request);
    if (opened.mode === 'live' && isUndecided(opened)) {
      await startAndWait(fulfillment, abandonPayment(fulfillment, refOf(opened)), 'give up');
    }
    return backToPage(opened, reply);
  };
  app.post<TokenRoute>('/c/:token/give-up', options, giveUp);

  // The player said no at the provider, which sends the browser back by a link.
  app.get<TokenRoute>('/c/:token/cancel', giveUp);

  app.post<TokenRoute>('/c/:token/forget', options, async (request, reply) => {
    const opened = await openCheckout(deps, request);
    const { environmentId, playerId } = opened.order;
    const id = textOf(request.body, 'saved');
    await startAndWait(fulfillment, removeSavedMethod(fulfillment, { environmentId, playerId, id }), 'forget');
    return backToPage(opened, reply);
  });
}
