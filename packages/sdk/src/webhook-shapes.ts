/** Types of the API. Generated from the contract by `npm run generate`: change them there. */

import type { Order, Dispute } from './api-shapes.ts';
import type { PaymentStatus, DeliveryStatus, EventKind, EventSelector } from './word-shapes.ts';

export interface ListWebhooksQuery {
  /** Entries on one page. */ limit?: number;
  /** `next_cursor` of the previous page. */ cursor?: string;
}

/** A webhook subscription. */
export interface Webhook {
  /** Identifier of the subscription. */ id: string;
  /** The game. */ game_id: string;
  /** As given, completed to both item kinds if one of them was named. */ events: EventSelector[];
  /** Where the webhooks go. */ url: string;
  /** Free text; empty when none was given. */ description: string;
  /** HTTP method used for delivery. */ method: 'POST';
  /** Whether it is active. */ enabled: boolean;
  /** Whether attempts are logged. */ enabled_logs: boolean;
  /** Whether bodies include `context.player`. */ player_context_enabled: boolean;
  /** Signing secret: complete when it was just set or rotated, otherwise only its last characters. */ secret: string;
  /** Whether webhooks are signed with the environment’s S2S key or with a dedicated secret. */ secret_source: 's2s_key' | 'dedicated';
  /** Until then webhooks are also signed with the previous secret, in `x-service-signature-previous`. Unix seconds. */ previous_secret_until: number | null;
  /** Why the service disabled it, such as a 410 response. */ disabled_reason: string | null;
  /** True in the sandbox environment. */ sandbox: boolean;
  /** When it was created. Unix seconds. */ created_at: number;
  /** When it last changed. Unix seconds. */ updated_at: number;
}

export interface ListDeliveriesQuery {
  /** Entries on one page. */ limit?: number;
  /** `next_cursor` of the previous page. */ cursor?: string;
  /** Only those with this status. */ status?: DeliveryStatus;
  /** Only this kind of event. */ event_type?: EventKind;
}

/** A delivery with the log of its attempts. */
export interface Delivery {
  /** Identifier of the delivery. */ id: string;
  /** The subscription; null while no subscription receives the event. */ webhook_id: string | null;
  /** The event. */ event_id: string;
  /** The kind of event. */ event_type: EventKind;
  /** The order it is about, if any. */ order_id: string | null;
  /** The idempotency key the receiver sees. */ idempotency_key: string;
  /** `blocked` waits for an earlier event of its order, `held` for an enabled subscription; `declined` means the game declined for good. */ status: DeliveryStatus;
  /** True for a test or triggered event, where nothing really happened. */ test: boolean;
  /** Number of attempts so far. */ attempts_made: number;
  /** When the next attempt is due. Unix seconds. */ next_attempt_at: number | null;
  /** HTTP status of the last response. */ last_status: number | null;
  /** Why the last attempt failed. */ last_error: string | null;
  /** When it was created. Unix seconds. */ created_at: number;
  /** When it finished. Unix seconds. */ finished_at: number | null;
  /** Oldest first. Empty when logging is off for the subscription, or when `log_kept` is false. */ attempts: DeliveryAttempt[];
  /** False when the attempts and the body are older than the operator keeps them, 90 days by default. */ log_kept: boolean;
}

/** One attempt of a delivery. */
export interface DeliveryAttempt {
  /** Counts from 1. */ attempt: number;
  /** When it began. Unix seconds. */ time: number;
  /** How long it took, in milliseconds. */ duration_ms: number;
  /** HTTP status; null when none arrived. */ status: number | null;
  request: { url: string; headers: Record<string, string>; body: string | null };
  response: { headers: Record<string, string>; body: string | null } | null;
  /** Why it failed. */ error: string | null;
}

export interface ListAllDeliveriesQuery extends ListDeliveriesQuery {
  /** Only those of this subscription or listener. */ webhook_id?: string;
  /** Only those about this order. */ order_id?: string;
}

/** The chaos switch of a sandbox. */
export interface Chaos {
  /** Whether deliveries of this sandbox are now and then delayed, doubled, reordered or lost, and its payments now and then not answered by the simulated provider. */ enabled: boolean;
}

export interface ListEventsQuery {
  /** Entries on one page. */ limit?: number;
  /** `next_cursor` of the previous page. */ cursor?: string;
  /** Read the feed behind this place: `start` for the oldest event that is kept, `now` for what comes next, or the `cursor` of an event or `next_cursor` of a page of the feed. */ after?: string;
  /** The kind of event. */ event_type?: EventKind;
  /** Only events of this order. */ order_id?: string;
  /** Only what was created at this time or later. Unix seconds. */ created_from?: number;
  /** Only what was created before this time. Unix seconds. */ created_to?: number;
}

/** Something that happened. */
export interface EventRecord {
  /** Identifier of the event. */ event_id: string;
  /** The kind of event. */ event_type: EventKind;
  /** When it happened. Unix seconds. */ event_time: number;
  /** The game. */ game_id: string;
  /** True in the sandbox environment. */ sandbox: boolean;
  /** The order it is about; null for a test. */ order_id: string | null;
  /** True for a triggered event, where nothing really happened. */ test: boolean;
  /** As in the webhook of this kind. */ event_data: Record<string, unknown>;
  /** Only with `after`: the feed goes on behind this event when it is sent as `after`. */ cursor?: string;
}

export interface ListRequestsQuery {
  /** Entries on one page. */ limit?: number;
  /** `next_cursor` of the previous page. */ cursor?: string;
  /** `error`: only requests that were refused or failed. */ outcome?: 'error';
}

/** One request of this key. */
export interface RequestRecord {
  /** Identifier of the request, as in `X-Request-Id`. */ request_id: string;
  /** The method. */ method: string;
  /** The path without its query. The id of a player is left out. */ path: string;
  /** The status of the response. */ status: number;
  /** Code of the error; null for a success. */ code: string | null;
  /** What was wrong: the fields of a failed validation, or the detail of the error. */ message: string | null;
  /** How long the response took. */ duration_ms: number;
  /** When it was answered. Unix seconds. */ created_at: number;
}

export interface ListenQuery {
  /** Act as an endpoint, or only watch. */ mode?: 'forward' | 'tail';
  /** Kinds or wildcards, separated by commas. Defaults to `item.add,item.remove` when forwarding and `*` when tailing. */ events?: string;
}

/** A webhook subscription to create. */
export interface CreateWebhook {
  /** Event kinds to deliver. A subscription for `item.add` always gets `item.remove` as well, and the other way round. */ events: EventSelector[];
  /** HTTPS URL that receives the webhooks. No credentials, no private address. */ url: string;
  /** Free text, in one line. */ description?: string;
  /** HTTP method used for delivery. */ method?: 'POST';
  /** Whether it is active. A disabled subscription holds its events. */ enabled?: boolean;
  /** Whether attempts are logged. */ enabled_logs?: boolean;
  /** Whether bodies include `context.player`. */ player_context_enabled?: boolean;
  /** Signing secret. Without it, webhooks are signed with the environment’s S2S key. */ secret?: string;
}

/** A webhook subscription that was just saved. */
export interface WebhookSaved extends Webhook {
  /** JSON Pointers to request fields that this version does not know and ignored, and a sentence when `events` named only one of `item.add` and `item.remove`: the subscription gets both. Absent when there are none. */ warnings?: string[];
}

/** Fields to change; omitted fields stay as they are. */
export interface PatchWebhook {
  /** Event kinds to deliver. A subscription for `item.add` always gets `item.remove` as well, and the other way round. */ events?: EventSelector[];
  /** HTTPS URL that receives the webhooks. No credentials, no private address. */ url?: string;
  /** Free text, in one line. */ description?: string;
  /** HTTP method used for delivery. */ method?: 'POST';
  /** Whether it is active. A disabled subscription holds its events. */ enabled?: boolean;
  /** Whether attempts are logged. */ enabled_logs?: boolean;
  /** Whether bodies include `context.player`. */ player_context_enabled?: boolean;
}

/** One event sent to one subscription. */
export interface DeliverySummary {
  /** Identifier of the delivery. */ id: string;
  /** The subscription; null while no subscription receives the event. */ webhook_id: string | null;
  /** The event. */ event_id: string;
  /** The kind of event. */ event_type: EventKind;
  /** The order it is about, if any. */ order_id: string | null;
  /** The idempotency key the receiver sees. */ idempotency_key: string;
  /** `blocked` waits for an earlier event of its order, `held` for an enabled subscription; `declined` means the game declined for good. */ status: DeliveryStatus;
  /** True for a test or triggered event, where nothing really happened. */ test: boolean;
  /** Number of attempts so far. */ attempts_made: number;
  /** When the next attempt is due. Unix seconds. */ next_attempt_at: number | null;
  /** HTTP status of the last response. */ last_status: number | null;
  /** Why the last attempt failed. */ last_error: string | null;
  /** When it was created. Unix seconds. */ created_at: number;
  /** When it finished. Unix seconds. */ finished_at: number | null;
}

/** Which events to send again. */
export interface ReplayWebhook {
  /** Send events from this time on. Unix seconds. */ since: number;
  /** Send events up to this time; up to now when omitted. Unix seconds. */ until?: number;
  /** Only events that never got a 2xx. */ only_failed?: boolean;
}

/** The result of a replay. */
export interface Replay {
  /** How many deliveries were scheduled. */ replayed: number;
  /** JSON Pointers to request fields and parameters that this version does not know and ignored. Absent when there are none. */ warnings?: string[];
}

/** Exactly one of `card` and `challenge`. */
export interface PayOrder {
  /** The test card to pay with. `dispute` succeeds, then a bank reverses the payment; `dispute_evidence` waits for your evidence. */ card?: 'success' | 'decline' | 'insufficient_funds' | 'lost' | 'stolen' | 'expired' | '3ds' | 'dispute' | 'dispute_won' | 'dispute_evidence' | 'inquiry' | 'refund_fails';
  /** The answer to the 3-D Secure challenge that `"card": "3ds"` began. */ challenge?: 'complete' | 'fail';
}

/** The result of the payment, as far as it is known when the call returns. */
export interface SandboxPayment {
  /** An order: the items a player is buying or has bought. */ order: Order;
  /** A transaction record: one attempt to pay an order, successful or not. */ payment: { payment_id: string; order_id: string; player_id: string; status: PaymentStatus; gateway: string; method: string; brand: string | null; last4: string | null; country: string | null; email: string | null; amount: number; currency: string; price_decimal: number; refunded_amount: number | null; response_code: string | null; response_description: string | null; refund_reason: string | null; dispute_reason: string | null; disputes: Dispute[]; problem: string | null; in_review: boolean; attention: { code: 'grant_unanswered' | 'removal_unanswered' | 'capture_refused' | 'refund_refused' | 'refund_failed' | 'amount_differs' | 'dispute_open' | 'dispute_unclear' | 'fraud_warning' | 'provider_error'; since: number; detail: string; next_check_at: number | null } | null; sandbox: boolean; created_at: number; updated_at: number; authorized_at: number | null; captured_at: number | null; refunded_at: number | null } | null;
  /** Present while the payment is `requires_action`; answer it with `{ "challenge": "complete" }`. */ challenge: { state: 'waiting'; url: string } | null;
  /** JSON Pointers to request fields and parameters that this version does not know and ignored. Absent when there are none. */ warnings?: string[];
}

/** By how much to advance time. */
export interface AdvanceOrder {
  /** How much older the order becomes; 259200 is three days, 2592000 thirty. */ seconds: number;
}

/** The chaos switch to set. */
export interface SetChaos {
  /** Whether deliveries of this sandbox are now and then delayed, doubled, reordered or lost, and its payments now and then not answered by the simulated provider. */ enabled: boolean;
}

/** The chaos switch that was just set. */
export interface ChaosSet {
  /** Whether deliveries of this sandbox are now and then delayed, doubled, reordered or lost, and its payments now and then not answered by the simulated provider. */ enabled: boolean;
  /** JSON Pointers to request fields and parameters that this version does not know and ignored. Absent when there are none. */ warnings?: string[];
}

/** The event to trigger. */
export interface TriggerEvent {
  /** The kind of event. */ event_type: EventKind;
  /** Fields of `event_data` to replace in the sample. Objects are merged, everything else is replaced. The result must match the schema of the kind. */ overrides?: Record<string, unknown>;
}

/** The triggered event. */
export interface TriggeredEvent {
  /** Identifier of the event. */ event_id: string;
  /** The kind of event. */ event_type: EventKind;
  /** The key the receiver sees. It begins with `test_`. */ idempotency_key: string;
  /** What is sent. */ event_data: Record<string, unknown>;
  /** Where it is sent; empty when no webhook or listener receives this kind. */ deliveries: TriggeredDelivery[];
  /** JSON Pointers to request fields and parameters that this version does not know and ignored. Absent when there are none. */ warnings?: string[];
}

/** One receiver of a triggered event. */
export interface TriggeredDelivery {
  /** The delivery; read it to see the response. */ delivery_id: string;
  /** The subscription, or the listener. */ webhook_id: string;
  /** Where it is sent; `listen:…` is a connected listener. */ url: string;
  /** True when it goes through a connected listener. */ listener: boolean;
}
