import type { CallbackHint } from '../../base/provider.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length <= 255 ? value : null;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** An expanded object or its id. */
const idOf = (value: unknown): string | null => (isObject(value) ? textOf(value.id) : textOf(value));

/** Null: not an event. */
export function readCallback(body: Buffer): CallbackHint | null {
  const event = parse(body.toString('utf8'));
  if (!isObject(event) || event.object !== 'event') return null;
  const eventId = textOf(event.id);
  const type = textOf(event.type);
  const data = isObject(event.data) ? event.data.object : null;
  if (eventId === null || type === null || !isObject(data)) return null;
  const isIntent = data.object === 'payment_intent';
  const metadata = isIntent && isObject(data.metadata) ? data.metadata : {};
  return {
    eventId,
    type,
    intentId: isIntent ? textOf(data.id) : idOf(data.payment_intent),
    paymentId: textOf(metadata.payment_id),
    environmentId: textOf(metadata.environment_id),
    isDispute: data.object === 'dispute',
    isWarning: data.object === 'radar.early_fraud_warning',
  };
}
