import * as contract from '@coinslot/contract';
import { changeChaos } from '../../domain/game/chaos/chaos.ts';
import { findChaos } from '../../domain/game/environment.sql.ts';
import { assertSandbox, type Environment } from '../../domain/game/environment.ts';
import { findOrder } from '../../domain/order/order.sql.ts';
import { orderView } from '../../domain/order/order-view.ts';
import { findPaymentOfOrder } from '../../domain/payment/payment.sql.ts';
import { paymentView } from '../../domain/payment/payment-view.ts';
import { OutcomeUnknown } from '../../domain/payment/providers/base/gateway.ts';
import { advanceOrder } from '../../domain/purchase/sandbox/advance-order.ts';
import { payWithTestCard } from '../../domain/purchase/sandbox/pay-with-test-card.ts';
import { triggerEvent } from '../../domain/webhook/tunnel/trigger-event.ts';
import { waitAtMost } from '../../jobs/background.ts';
import { AppError } from '../../kit/app-error.ts';
import { sha256 } from '../../kit/seal.ts';
import type { S2sMount, S2sShop } from './s2s-shop.ts';

/** The first attempt to reach the game may take ten seconds; then the caller gets what is known. */
const PAY_WAIT_MS = 12_000;

export const LIVE_KEY = 'The key is a live key.';

/** The payment goes on when the caller stops waiting. A refusal is the answer; what stays open can be read. */
async function startAndWait({ background }: S2sShop, work: Promise<void>): Promise<void> {
  background(
    work.catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    }),
    'sandbox payment',
  );
  // A worker asks the provider for an outcome that is unknown; the caller reads what is known by now.
  const settled = work.catch((error: unknown) => {
    if (!(error instanceof OutcomeUnknown)) throw error;
  });
  await waitAtMost(settled, PAY_WAIT_MS);
}

async function sandboxPayment(shop: S2sShop, environment: Environment, id: string): Promise<contract.SandboxPayment> {
  const [found, payment] = await Promise.all([
    findOrder(shop.db, environment.id, id),
    findPaymentOfOrder(shop.db, environment.id, id),
  ]);
  const order = orderView(environment, found!, shop.checkoutUrlOf);
  const isChallenged = payment?.status === 'requires_action';
  return {
    order,
    payment: payment && (await paymentView(shop.db, environment, payment)),
    challenge: isChallenged ? { state: 'waiting', url: order.checkout_url } : null,
  };
}

function mountTrigger(mount: S2sMount, shop: S2sShop): void {
  mount(contract.triggerEvent, async ({ body, context: { environment } }) => {
    assertSandbox(environment, LIVE_KEY);
    const made = await triggerEvent(shop, environment.id, body);
    return {
      event_id: made.eventId,
      event_type: made.kind,
      idempotency_key: made.idempotencyKey,
      event_data: made.data,
      deliveries: made.deliveries.map(({ id, receiver }) => ({
        delivery_id: id,
        webhook_id: receiver.id,
        url: receiver.url,
        listener: receiver.isListener,
      })),
      ...(made.warnings.length > 0 && { warnings: made.warnings }),
    };
  });
}

export function mountSandbox(mount: S2sMount, shop: S2sShop): void {
  mountTrigger(mount, shop);

  mount(contract.advanceOrder, async ({ params, body, context: { environment } }) => {
    assertSandbox(environment, LIVE_KEY);
    await advanceOrder(shop.purchasing, {
      environmentId: environment.id,
      orderId: params.order_id,
      seconds: body.seconds,
    });
    return sandboxPayment(shop, environment, params.order_id);
  });

  mount(contract.payOrder, async ({ params, body, bodyText, headers, context: { environment }, setHeader }) => {
    assertSandbox(environment, LIVE_KEY);
    const key = headers['idempotency-key'];
    const { isReplayed, outcome } = await payWithTestCard(shop.purchasing, {
      environmentId: environment.id,
      orderId: params.order_id,
      body,
      idempotency: key === undefined ? null : { key, bodyHash: sha256(bodyText) },
    });
    if (isReplayed) setHeader('idempotency-replayed', 'true');
    await startAndWait(shop, outcome);
    return sandboxPayment(shop, environment, params.order_id);
  });
}

/** The sandbox's switch for deliveries and a provider that misbehave now and then. */
export function mountChaos(mount: S2sMount, shop: S2sShop): void {
  mount(contract.getChaos, async ({ context: { environment } }) => {
    assertSandbox(environment, LIVE_KEY);
    return { enabled: await findChaos(shop.db, environment.id) };
  });

  mount(contract.setChaos, async ({ body, context: { environment } }) => {
    assertSandbox(environment, LIVE_KEY);
    return { enabled: await changeChaos(shop, null, environment, body.enabled) };
  });
}
