import type {
  Booked,
  Customer,
  DoubleCharge,
  DoubleDispute,
  DoubleFile,
  DoublePayout,
  DoubleReview,
  Endpoint,
  FraudWarning,
  Intent,
  Method,
  Movement,
  Refund,
  StripeEvent,
  Token,
} from './objects.ts';
import type { TestMethod } from './test-methods.ts';

/** All that the double holds. Each double has its own, so that tests do not meet. */
export function createStore(nowSeconds: () => number) {
  let counter = 0;
  const store = {
    nowSeconds,
    intents: new Map<string, Intent>(),
    charges: new Map<string, DoubleCharge>(),
    refunds: new Map<string, Refund>(),
    disputes: new Map<string, DoubleDispute>(),
    files: new Map<string, DoubleFile>(),
    domains: new Set<string>(),
    warnings: new Map<string, FraudWarning>(),
    reviews: new Map<string, DoubleReview>(),
    methods: new Map<string, Method>(),
    outcomes: new Map<string, TestMethod['outcome']>(),
    usedMethods: new Set<string>(),
    tokens: new Map<string, Token>(),
    drawnWith: new Map<string, readonly string[]>(),
    customers: new Map<string, Customer>(),
    booked: new Map<string, Booked>(),
    payouts: new Map<string, DoublePayout>(),
    /** Which movements a payout is made of. */
    paidOut: new Map<string, string>(),
    /** The balance is kept in this currency, whatever players pay in. */
    balance: null as { currency: string; rate: number } | null,
    endpoints: new Map<string, Endpoint>(),
    events: [] as StripeEvent[],
    movements: [] as Movement[],
    /** Whose request is being served. What it makes, no other account sees. */
    acting: null as string | null,
    owners: new Map<string, string>(),
    newId(prefix: string): string {
      const id = `${prefix}_${String(++counter).padStart(8, '0')}Double`;
      if (store.acting !== null) store.owners.set(id, store.acting);
      return id;
    },
    isSeenBy: (accountId: string, id: string): boolean => (store.owners.get(id) ?? accountId) === accountId,
    emit(type: string, object: object): void {
      const event: StripeEvent = {
        id: store.newId('evt'),
        object: 'event',
        api_version: '2026-10-28.endive',
        created: nowSeconds(),
        data: { object: structuredClone(object) },
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      };
      store.events.push(event);
      store.onEvent?.(event);
    },
    move(kind: Movement['kind'], intent: Intent, amount: number): void {
      store.movements.push({ kind, intentId: intent.id, paymentId: intent.metadata.payment_id ?? null, amount });
    },
    onEvent: null as ((event: StripeEvent) => void) | null,
  };
  return store;
}

export type Store = ReturnType<typeof createStore>;
