import { bodyOf, isObject, type Json, objectOf, shortText } from '../../base/callbacks.ts';
import type { CallbackHint } from '../../base/provider.ts';

const firstOf = (value: unknown): Json => objectOf(Array.isArray(value) ? value[0] : null);

/** What we wrote on it: environment and payment. */
function marked(invoice: string | null): Pick<CallbackHint, 'environmentId' | 'paymentId'> {
  const match = /^(env_\w{1,60})\.(pay_\w{1,60})$/.exec(invoice ?? '');
  return { environmentId: match?.[1] ?? null, paymentId: match?.[2] ?? null };
}

/** A refund names its capture by a link alone. */
function captureAbove({ links }: Json): string | null {
  const up = (Array.isArray(links) ? links : []).map(objectOf).find(({ rel }) => rel === 'up');
  return /\/captures\/(\w{1,60})$/.exec(shortText(up?.href) ?? '')?.[1] ?? null;
}

function whatOf(
  type: string,
  resource: Json,
): Pick<CallbackHint, 'intentId' | 'captureId' | 'environmentId' | 'paymentId'> {
  if (type.startsWith('CHECKOUT.ORDER.')) {
    const unit = firstOf(resource.purchase_units);
    return { intentId: shortText(resource.id), captureId: null, ...marked(shortText(unit.invoice_id)) };
  }
  if (type.startsWith('CUSTOMER.DISPUTE.')) {
    const captureId = shortText(firstOf(resource.disputed_transactions).seller_transaction_id);
    return { intentId: null, captureId, environmentId: null, paymentId: null };
  }
  const related = objectOf(objectOf(resource.supplementary_data).related_ids);
  const captureId = captureAbove(resource) ?? shortText(related.capture_id);
  return { intentId: shortText(related.order_id), captureId, ...marked(shortText(resource.invoice_id)) };
}

/** Null: not an event. */
export function readCallback(body: Buffer): CallbackHint | null {
  const event = bodyOf(body);
  const eventId = shortText(event?.id);
  const type = shortText(event?.event_type);
  if (!isObject(event?.resource) || eventId === null || type === null) return null;
  return {
    eventId,
    type,
    ...whatOf(type, event.resource),
    isDispute: type.startsWith('CUSTOMER.DISPUTE.') || type === 'PAYMENT.CAPTURE.REVERSED',
    isWarning: false,
  };
}
