export * from './api-shapes.ts';
export type { Items, Players } from './catalogue.ts';
export { CoinslotError, type FieldError, isCoinslotError, type SdkErrorCode } from './coinslot-error.ts';
export { type Coinslot, type CoinslotOptions, createCoinslot } from './create-coinslot.ts';
export * from './event-shapes.ts';
export type { Listing } from './listing.ts';
export type { CreateOrderOptions, Orders, WaitForOptions } from './orders.ts';
export type { Payments } from './payments.ts';
export type { Answer, CallOptions, RequestOptions } from './send-request.ts';
export {
  type RawBody,
  type VerifiedWebhook,
  type VerifyWebhook,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
} from './verify-webhook.ts';
export type { Deliveries, Webhooks } from './webhooks.ts';
