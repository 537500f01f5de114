import type {
  PaypalAuthorization,
  PaypalCapture,
  PaypalDispute,
  PaypalMoney,
  PaypalRefund,
} from '../../../../apps/server/src/domain/payment/providers/paypal/wire/paypal-objects.ts';

export class DoubleFault extends Error {
  readonly status: number;
  readonly issue: string;
  readonly field: string | null;
  readonly links: readonly { href: string; rel: string; method: string }[];

  constructor(status: number, issue: string, field: string | null = null, links: DoubleFault['links'] = []) {
    super(issue);
    this.status = status;
    this.issue = issue;
    this.field = field;
    this.links = links;
  }
}

export const unprocessable = (issue: string, field: string | null = null): DoubleFault =>
  new DoubleFault(422, issue, field);
export const notFound = (): DoubleFault => new DoubleFault(404, 'INVALID_RESOURCE_ID');

export interface DoubleUnit {
  reference_id?: string;
  amount: PaypalMoney & { breakdown?: { item_total?: PaypalMoney; discount?: PaypalMoney } };
  items?: { unit_amount: PaypalMoney; quantity: string }[];
  description?: string;
  custom_id?: string;
  invoice_id?: string;
}

export interface HeldAuthorization extends PaypalAuthorization {
  orderId: string;
  madeAt: number;
  /** Reauthorizations count from the first. */
  firstAt: number;
}

export interface HeldCapture extends PaypalCapture {
  orderId: string;
  holdId: string;
  madeAt: number;
}

export interface HeldRefund extends PaypalRefund {
  amount: PaypalMoney;
  captureId: string;
  madeAt: number;
}

export interface DoubleOrder {
  id: string;
  status: string;
  unit: DoubleUnit;
  madeAt: number;
  returnUrl: string | null;
  cancelUrl: string | null;
  wantsVault: boolean;
  vaultId: string | null;
  customerId: string | null;
  /** What the player's bank says when the order is authorized. */
  bank: 'approves' | 'declines' | 'reviews' | 'challenges';
}

export interface VaultToken {
  id: string;
  customerId: string;
  bank: DoubleOrder['bank'];
}

export interface DoubleDispute extends PaypalDispute {
  captureId: string;
  updatedAt: number;
}

export interface DoubleWebhook {
  id: string;
  url: string;
  event_types: { name: string }[];
}

export interface DoubleEvent {
  id: string;
  event_type: string;
  create_time: string;
  resource_type: string;
  event_version: string;
  resource: object;
}

export type MovementKind = 'authorized' | 'captured' | 'refunded' | 'voided';

/** All that the double holds. Each double has its own, so that tests do not meet. */
export function createPaypalStore(nowSeconds: () => number) {
  let counter = 0;
  const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  const store = {
    nowSeconds,
    orders: new Map<string, DoubleOrder>(),
    holds: new Map<string, HeldAuthorization>(),
    captures: new Map<string, HeldCapture>(),
    refunds: new Map<string, HeldRefund>(),
    disputes: new Map<string, DoubleDispute>(),
    vault: new Map<string, VaultToken>(),
    /** What PayPal and the bank say of every payer from now on. */
    signs: { account: 'VERIFIED', protection: 'NOT_ELIGIBLE', avs: null as string | null, cvv: null as string | null },
    webhooks: new Map<string, DoubleWebhook>(),
    /** Movements that no payment caused: withdrawals, conversions, fees. */
    booked: [] as { id: string; code: string; amount: PaypalMoney; madeAt: number; captureId?: string }[],
    events: [] as DoubleEvent[],
    movements: [] as { kind: MovementKind; paymentId: string }[],
    isoOf,
    newId: (letter: string): string => `${letter}${String(++counter).padStart(16, '0')}`,
    emit(event_type: string, resource_type: string, resource: object): void {
      const event: DoubleEvent = {
        id: `WH-${String(++counter).padStart(17, '0')}`,
        event_type,
        create_time: isoOf(nowSeconds()),
        resource_type,
        event_version: '1.0',
        resource: structuredClone(resource),
      };
      store.events.push(event);
      store.onEvent?.(event);
    },
    move(kind: MovementKind, orderId: string): void {
      const paymentId = store.orders.get(orderId)?.unit.custom_id ?? '';
      store.movements.push({ kind, paymentId });
    },
    onEvent: null as ((event: DoubleEvent) => void) | null,
  };
  return store;
}

export type PaypalStore = ReturnType<typeof createPaypalStore>;
