export * from './api-shapes.ts';
export type { Items, Players } from './catalog.ts';
export { CoinslotError, type FieldError, isCoinslotError, type SdkErrorCode } from './coinslot-error.ts';
export { type Coinslot, type CoinslotOptions, createCoinslot } from './create-coinslot.ts';
export { currencyDecimals } from './currency-decimals.ts';
export * from './event-shapes.ts';
export type { HookFailure, HookRequest, HookResponse, Hooks } from './hooks.ts';
export type { Listing } from './listing.ts';
export type { CreateOrderOptions, Orders, WaitForOptions } from './orders.ts';
export type { Payments } from './payments.ts';
export { Declined, decline } from './receive/decline.ts';
export { type MemoryStoreOptions, memoryStore } from './receive/memory-store.ts';
export { type NodeListener, type NodeRequest, type NodeResponse, toNodeListener } from './receive/node-listener.ts';
export type { EventHandler, EventHandlers, WebhookAnswer, WebhookContext } from './receive/run-once.ts';
export { type SignedWebhook, type SignWebhook, signWebhook } from './receive/sign-webhook.ts';
export { type SqlStore, type SqlStoreOptions, sqlStore, sqlStoreTable } from './receive/sql-store.ts';
export { testEvent } from './receive/test-event.ts';
export {
  type RawBody,
  type VerifiedWebhook,
  type VerifyWebhook,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
} from './receive/verify-webhook.ts';
export {
  createWebhookHandler,
  type IncomingWebhook,
  type Secrets,
  type WebhookHandler,
  type WebhookHandlerOptions,
} from './receive/webhook-handler.ts';
export type { Begun, SqlQuery, WebhookOutcome, WebhookStore } from './receive/webhook-store.ts';
export type { EventFeedPage, Events, Requests, Sandbox } from './sandbox.ts';
export { type Answer, type AnswerDetails, answerOf, type CallOptions, type RequestOptions } from './send-request.ts';
export * from './webhook-shapes.ts';
export type { Deliveries, Webhooks } from './webhooks.ts';
export * from './word-shapes.ts';
