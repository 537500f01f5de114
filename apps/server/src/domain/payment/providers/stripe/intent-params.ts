import type Stripe from 'stripe';
import { findMethod } from '../../methods/method-table.ts';
import type { AuthorizeRequest } from '../base/gateway.ts';
import { keptFor, methodOf, typeOf } from './account/stripe-account.ts';
import { ASK, type StripeClient } from './stripe-client.ts';

export interface PaymentSource {
  /** Our word for the method; decides whether money can be reserved. */
  method: string;
  /** Stripe's. */
  type: string;
  params: Partial<Stripe.PaymentIntentCreateParams>;
}

/** What pays. The token is asked for its method, because a browser may say anything. */
export async function sourceOf(
  client: StripeClient,
  { payWith, email }: AuthorizeRequest,
): Promise<PaymentSource | null> {
  switch (payWith.kind) {
    case 'provider_token': {
      const token = await client.confirmationTokens.retrieve(payWith.token, {}, ASK);
      const preview = token.payment_method_preview;
      const type = preview?.type ?? 'card';
      const { token: id, offered = [type] } = payWith;
      // A browser may draw a form of its own: what was not offered is not taken.
      if (!offered.includes(type)) return null;
      const future = token.setup_future_usage;
      return {
        method: methodOf(type, preview?.card?.wallet?.type ?? null),
        type,
        params: {
          confirmation_token: id,
          // The token is bound to the list and the wish that the form was drawn with. Any other is refused.
          allowed_payment_method_types: [...offered],
          ...(future !== null && { setup_future_usage: future }),
        },
      };
    }
    case 'saved_method':
      return {
        method: payWith.method,
        type: typeOf(payWith.method),
        params: {
          payment_method: payWith.token,
          allowed_payment_method_types: [typeOf(payWith.method)],
          // Without it a method that was kept by a mandate would send the player to its page again.
          ...(keptFor(payWith.method) === 'off_session' && { off_session: true }),
        },
      };
    case 'redirect': {
      const type = typeOf(payWith.method);
      const billing = email ? { billing_details: { email } } : {};
      return {
        method: payWith.method,
        type,
        params: {
          allowed_payment_method_types: [type],
          payment_method_data: { type, ...billing },
        },
      };
    }
    case 'card':
      return null;
  }
}

/**
 * Reserving is asked of the one method that pays. Asked of the whole intent it would take every method that cannot
 * reserve off the list, and the list must stay as the form had it.
 */
function optionsFor({ method, type }: PaymentSource): Stripe.PaymentIntentCreateParams.PaymentMethodOptions {
  if (findMethod(method)?.canReserve) return { [type]: { capture_method: 'manual' } };
  return type === 'wechat_pay' ? { wechat_pay: { client: 'web' } } : {};
}

export function paramsFor(
  request: AuthorizeRequest,
  { amount, customerId, source }: Prepared,
): Stripe.PaymentIntentCreateParams {
  const { orderId, paymentId, environmentId, currency, returnUrl } = request;
  return {
    amount,
    currency: currency.toLowerCase(),
    confirm: true,
    capture_method: 'automatic',
    payment_method_options: optionsFor(source),
    ...(customerId !== null && { customer: customerId }),
    description: `Order ${orderId}`,
    metadata: { order_id: orderId, payment_id: paymentId, environment_id: environmentId },
    return_url: `${returnUrl}/return`,
    expand: ['latest_charge.balance_transaction', 'payment_method'],
    ...source.params,
  };
}

export interface Prepared {
  amount: number;
  customerId: string | null;
  source: PaymentSource;
}
