import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readCheckoutToken } from '../../domain/order/checkout-token.ts';
import { TooManyAttemptsError } from '../../domain/payment/attempts/start-payment.ts';
import { findPaymentOfOrder } from '../../domain/payment/payment.sql.ts';
import type { ChargeStatus } from '../../domain/payment/providers/base/charge-shape.ts';
import {
  type Begun as BegunOf,
  beginClaim,
  beginPayment,
  type Payable,
} from '../../domain/purchase/checkout/begin-payment.ts';
import type { LiveFacts } from '../../domain/purchase/checkout/live-facts.ts';
import { readNextAction } from '../../domain/purchase/checkout/player-steps.ts';
import { addressKey, delayAnswer } from '../../http/rate-limit.ts';
import type { Seal } from '../../kit/seal.ts';
import {
  backToPage,
  type CheckoutShop,
  FORM_BYTES,
  openCheckout,
  PRIVATE_HEADERS,
  showPage,
  type TokenRoute,
  waitForOutcome,
} from './checkout-pages.ts';
import { formProblem } from './form-problem.ts';
import { sealKept } from './kept-fields.ts';
import type { PageFacts, RefusedForm } from './order-frame.ts';
import type { PageEvents } from './page-events.ts';
import { formText, keptOf, readClaimForm, readPayForm } from './read-form.ts';
import { readLivePayForm } from './read-live-form.ts';

type Begun = BegunOf<RefusedForm>;
type Request = FastifyRequest<TokenRoute>;
/** `shown`: the form, with what must be corrected. `reserved`: the provider holds the money, so there is nothing to try again. */
type Sent = 'shown' | 'reserved' | 'open';

const RESERVED: ReadonlySet<string | null> = new Set<ChargeStatus>(['authorized', 'captured']);

const NETWORK_BYTES = 16;
const KEY_LONGEST = 255;
/** How long a form waits for its answer when its company has used up its calls to providers. */
const SPENT_DELAY_MS = 3_000;

/** Enough to count by, and nothing to read an address from. */
const networkDigest = (seal: Seal, ip: string): string =>
  seal
    .mac(Buffer.from(addressKey(ip)), 'payer network')
    .subarray(0, NETWORK_BYTES)
    .toString('base64url');

const orRefused = <Form extends object>(form: Form | RefusedForm): Form | { refused: RefusedForm } =>
  'fieldErrors' in form ? { refused: form } : form;

/** The page sends its key with the form, a program by the header that every other call of the API takes. */
const attemptKeyOf = ({ body, headers }: FastifyRequest): string | null =>
  formText(body, 'attempt') || headers['idempotency-key']?.toString().slice(0, KEY_LONGEST) || null;

function readCardForm(body: unknown, now: Date): Payable | RefusedForm {
  const form = readPayForm(body, now, true);
  if ('fieldErrors' in form) return form;
  return { email: form.email, method: 'card', payWith: { kind: 'card', card: form.card } };
}

const readForm =
  (body: unknown, { now }: PageFacts) =>
  (live: LiveFacts | null) =>
    orRefused<Payable>(live ? readLivePayForm(body, live, now) : readCardForm(body, now));

function formToShow(begun: Begun, { order }: PageFacts): RefusedForm | null {
  if (begun.kind === 'saved_gone') return { email: order.email ?? '', fieldErrors: {}, problem: 'saved_gone' };
  return begun.kind === 'refused' ? begun.refused : null;
}

/** The page's script asks for data; a form without script gets a page. */
export const wantsData = ({ headers }: Request): boolean => (headers.accept ?? '').includes('application/json');

export async function sendAction(shop: CheckoutShop, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const action = await readNextAction(shop, await openCheckout(shop, request));
  return reply.headers(PRIVATE_HEADERS).send({
    action: action && { client_secret: action.clientSecret, redirect_url: action.redirectUrl },
  });
}

/** How long no new payment begins, because the calls to providers of this company are used up; null while they are not. */
async function providerBudget(
  { budgets, environmentOf, seal }: CheckoutShop,
  token: string,
): Promise<{ waitSeconds: number } | null> {
  const { providerCalls } = budgets.limiters;
  const named = providerCalls.isOn ? readCheckoutToken(seal, token) : null;
  const environment = named && (await environmentOf(named.environmentId));
  if (environment?.mode !== 'live') return null;
  const { allowed, resetSeconds } = providerCalls.peek(environment.companyId);
  if (allowed) return null;
  // Before anything is read: refusing as fast as its players ask would take time from the players of others.
  await delayAnswer(SPENT_DELAY_MS);
  return { waitSeconds: Math.max(1, resetSeconds) };
}

export function mountPaying(app: FastifyInstance, shop: CheckoutShop, events: PageEvents): void {
  const { publicUrl, seal } = shop;

  /** The reply is not handed back, because awaiting it gives nothing. */
  async function pay(opened: PageFacts, beginning: Begun | Promise<Begun>, reply: FastifyReply): Promise<Sent> {
    try {
      const begun = await beginning;
      const form = formToShow(begun, opened);
      if (form) await showPage(shop, opened, reply, form);
      if (begun.kind !== 'begun') return form === null ? 'open' : 'shown';
      events.submitted(opened);
      return RESERVED.has(await waitForOutcome(shop, begun.outcome)) ? 'reserved' : 'open';
    } catch (error) {
      if (!(error instanceof TooManyAttemptsError)) throw error;
      events.submitted(opened);
      await showLater(opened, error, reply);
      return 'shown';
    }
  }

  /** The page says when it can be tried again. */
  async function showLater(
    opened: PageFacts,
    { waitSeconds }: Pick<TooManyAttemptsError, 'waitSeconds'>,
    reply: FastifyReply,
  ): Promise<void> {
    const form = { email: opened.order.email ?? '', fieldErrors: {}, problem: 'too_many_attempts' as const };
    reply.header('retry-after', String(waitSeconds));
    await showPage(shop, opened, reply, { ...form, retryInMinutes: Math.ceil(waitSeconds / 60) });
  }

  /** Only for a form that was sent without script: with script it never left the page. */
  async function keptAfterDecline({ order: { environmentId, id } }: PageFacts, body: unknown): Promise<string> {
    const payment = await findPaymentOfOrder(shop.db, environmentId, id);
    return formProblem(payment) === null ? '' : sealKept(seal, id, keptOf(body));
  }

  app.post<TokenRoute>('/c/:token/pay', { bodyLimit: FORM_BYTES }, async (request, reply) => {
    const spent = await providerBudget(shop, request.params.token);
    const opened = await openCheckout(shop, request);
    if (spent) {
      await showLater(opened, spent, reply);
      return reply;
    }
    const begun = beginPayment(shop, opened, {
      returnUrl: `${publicUrl}${opened.base}`,
      attemptKey: attemptKeyOf(request),
      savedId: formText(request.body, 'saved'),
      // Only the limits of live payments count by it.
      payerNetwork: opened.sandbox ? null : networkDigest(seal, request.ip),
      readForm: readForm(request.body, opened),
    });
    const paid = await pay(opened, begun, reply);
    if (paid === 'shown') return reply;
    if (wantsData(request)) return sendAction(shop, request, reply);
    const isKept = paid === 'open' && attemptKeyOf(request) === null;
    return backToPage(opened, reply, isKept ? await keptAfterDecline(opened, request.body) : '');
  });

  app.post<TokenRoute>('/c/:token/claim', { bodyLimit: FORM_BYTES }, async (request, reply) => {
    const opened = await openCheckout(shop, request);
    const begun = beginClaim(shop, opened, () => orRefused(readClaimForm(request.body)));
    return (await pay(opened, begun, reply)) === 'shown' ? reply : backToPage(opened, reply);
  });
}
