/** Objects as Stripe shapes them, with the fields that matter for payments. Loose on purpose: a wire. */
export interface Intent {
  id: string;
  object: 'payment_intent';
  amount: number;
  amount_capturable: number;
  amount_received: number;
  canceled_at: number | null;
  cancellation_reason: string | null;
  capture_method: string;
  client_secret: string;
  confirmation_method: 'automatic';
  created: number;
  currency: string;
  customer: string | null;
  description: string | null;
  last_payment_error: Record<string, unknown> | null;
  latest_charge: string | null;
  livemode: boolean;
  metadata: Record<string, string>;
  next_action: Record<string, unknown> | null;
  payment_method: string | null;
  payment_method_options: Record<string, { capture_method?: string }>;
  payment_method_types: string[];
  review: string | null;
  setup_future_usage: string | null;
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'requires_capture'
    | 'canceled'
    | 'succeeded';
}

export interface DoubleCharge {
  id: string;
  object: 'charge';
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  balance_transaction: string | null;
  captured: boolean;
  created: number;
  currency: string;
  customer: string | null;
  disputed: boolean;
  failure_code: string | null;
  livemode: boolean;
  metadata: Record<string, string>;
  outcome: { network_status: string; risk_level: string; risk_score: number; type: string };
  paid: boolean;
  payment_intent: string;
  payment_method: string | null;
  payment_method_details: Record<string, unknown>;
  refunded: boolean;
  status: 'succeeded' | 'pending' | 'failed';
}

export interface Refund {
  id: string;
  object: 'refund';
  amount: number;
  charge: string;
  created: number;
  currency: string;
  failure_reason?: string;
  metadata: Record<string, string>;
  instructions_email?: string;
  payment_intent: string;
  reason: string | null;
  status: 'pending' | 'succeeded' | 'failed' | 'canceled';
}

export interface DoubleDispute {
  id: string;
  balance_transactions: Booked[];
  object: 'dispute';
  amount: number;
  charge: string;
  created: number;
  currency: string;
  evidence: Record<string, string>;
  evidence_details: { due_by: number | null; has_evidence: boolean; past_due: boolean; submission_count: number };
  payment_method_details: { type: 'card'; card: { brand: string; case_type: string; network_reason_code: string } };
  is_charge_refundable: boolean;
  livemode: boolean;
  metadata: Record<string, string>;
  payment_intent: string;
  reason: string;
  status: string;
}

export interface DoubleFile {
  id: string;
  object: 'file';
  created: number;
  filename: string;
  purpose: string;
  size: number;
  type: string;
}

export interface Method {
  id: string;
  object: 'payment_method';
  type: string;
  customer: string | null;
  created: number;
  livemode: boolean;
  metadata: Record<string, string>;
  [details: string]: unknown;
}

export interface Token {
  id: string;
  object: 'confirmation_token';
  created: number;
  expires_at: number;
  livemode: boolean;
  payment_intent: string | null;
  payment_method_preview: Record<string, unknown> & { type: string };
  return_url: string | null;
  setup_future_usage: string | null;
}

export interface Customer {
  id: string;
  object: 'customer';
  created: number;
  email: string | null;
  livemode: boolean;
  metadata: Record<string, string>;
}

export interface Booked {
  id: string;
  object: 'balance_transaction';
  amount: number;
  currency: string;
  exchange_rate: number | null;
  fee: number;
  net: number;
  created: number;
  source: string;
  status: 'available';
  reporting_category: string;
  type: string;
}

export interface DoublePayout {
  id: string;
  object: 'payout';
  amount: number;
  arrival_date: number;
  automatic: boolean;
  created: number;
  currency: string;
  status: 'paid';
}

export interface Endpoint {
  id: string;
  object: 'webhook_endpoint';
  url: string;
  secret?: string;
  /** Whose it is; Stripe does not say so. */
  accountId?: string;
  status: 'enabled' | 'disabled';
  enabled_events: string[];
}

export interface StripeEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: null; idempotency_key: string | null };
  type: string;
}

export interface FraudWarning {
  id: string;
  object: 'radar.early_fraud_warning';
  actionable: boolean;
  charge: string;
  created: number;
  fraud_type: string;
  livemode: boolean;
  payment_intent: string;
}

export interface DoubleReview {
  id: string;
  object: 'review';
  charge: string | null;
  created: number;
  open: boolean;
  payment_intent: string;
  reason: string;
}

/** Every movement of money, in the order in which it happened: what the shop's own record is checked against. */
export interface Movement {
  kind: 'authorized' | 'captured' | 'canceled' | 'refunded' | 'disputed' | 'dispute_won' | 'charged_back';
  intentId: string;
  paymentId: string | null;
  amount: number;
}
