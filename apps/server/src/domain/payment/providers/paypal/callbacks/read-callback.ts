import type { CallbackHint } from '../../base/provider.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length <= 255 ? value : null;

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const firstOf = (value: unknown): Json => objectOf(Array.isArray(value) ? value[0] : null);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** What we wrote on it: environment and payment. */
function marked(invoice: string | null): Pick<CallbackHint, 'environmentId' | 'paymentId'> {
  const match = /^(env_\w{1,60})\.(pay_\w{1,60})$/.exec(invoice ?? '');
  return { environmentId: match?.[1] ?? null, paymentId: match?.[2] ?? null };
}

/** A refund names its capture by a link alone. */
function captureAbove({ links }: Json): string | null {
  const up = (Array.isArray(links) ? links : []).map(objectOf).find(({ rel }) => rel === 'up');
  return /\/captures\/(\w{1,60})$/.exec(textOf(up?.href) ?? '')?.[1] ?? null;
}

function whatOf(
  type: string,
  resource: Json,
): Pick<CallbackHint, 'intentId' | 'captureId' | 'environmentId' | 'paymentId'> {
  if (type.startsWith('CHECKOUT.ORDER.')) {
    const unit = firstOf(resource.purchase_units);
    return { intentId: textOf(resource.id), captureId: null, ...marked(textOf(unit.invoice_id)) };
  }
  if (type.startsWith('CUSTOMER.DISPUTE.')) {
    const captureId = textOf(firstOf(resource.disputed_transactions).seller_transaction_id);
    return { intentId: null, captureId, environmentId: null, paymentId: null };
  }
  const related = objectOf(objectOf(resource.supplementary_data).related_ids);
  const captureId = captureAbove(resource) ?? textOf(related.capture_id);
  return { intentId: textOf(related.order_id), captureId, ...marked(textOf(resource.invoice_id)) };
}

/** Null: not an event. */
export function readCallback(body: Buffer): CallbackHint | null {
  const event = parse(body.toString('utf8'));
  if (!isObject(event) || !isObject(event.resource)) return null;
  const eventId = textOf(event.id);
  const type = textOf(event.event_type);
  if (eventId === null || type === null) return null;
  return {
    eventId,
    type,
    ...whatOf(type, event.resource),
    isDispute: type.startsWith('CUSTOMER.DISPUTE.'),
    isWarning: false,
  };
}
