import type { AddressInfo } from 'node:net';
import { systemClock } from '../../../../apps/server/src/kit/clock.ts';
import { type CallbackTarget, sendCallback } from './callbacks.ts';
import { createDoubleServer, type DoubleSettings } from './double-server.ts';
import { findIntent, makeToken } from './intents.ts';
import {
  approve,
  cancel,
  closeDispute,
  closeReview,
  decline,
  escalateInquiry,
  failRefund,
  openDispute,
  openReview,
  payOut,
  refund,
  warn,
} from './money.ts';
import type {
  DoubleDispute,
  DoublePayout,
  DoubleReview,
  FraudWarning,
  Intent,
  Refund,
  StripeEvent,
} from './objects.ts';
import { createStore, type Store } from './store.ts';

export { FOREIGN_PUBLISHABLE_KEY, LIVE_KEY, OTHER_KEY, REVOKED_KEY, TEST_KEYS } from './double-server.ts';

export interface StripeDoubleOptions {
  nowSeconds?: () => number;
  port?: number;
}

interface TokenOptions {
  live?: boolean;
  save?: boolean | 'on_session' | 'off_session';
  /** What the form was allowed to show. */
  drawnWith?: readonly string[];
}

/** What players, banks and people at Stripe's own dashboard do. */
function actionsOn(store: Store) {
  const methodOf = (intent: Intent) => store.methods.get(intent.payment_method ?? '')!;
  return {
    /** What the form in the browser would give to the page. */
    token: (method = 'pm_card_visa', { live = false, save = false, drawnWith }: TokenOptions = {}): string =>
      makeToken(store, method, live, { setupFutureUsage: save === true ? 'on_session' : save || null, drawnWith }).id,
    /** The player answers the bank. */
    authenticate(intent: Intent, isRight: boolean): void {
      if (isRight) approve(store, intent, methodOf(intent));
      else decline(store, intent, methodOf(intent), 'payment_intent_authentication_failure');
    },
    /** The money of a slow method comes, or does not. */
    arrive(intent: Intent, isPaid: boolean): void {
      if (isPaid) approve(store, intent, methodOf(intent));
      else decline(store, intent, methodOf(intent), 'payment_intent_payment_attempt_failed');
    },
    cancelThere: (intent: Intent): void => cancel(store, intent),
    refundThere: (intent: Intent, amount = intent.amount_received): Refund =>
      refund(store, intent, amount, { metadata: {}, reason: null, isSlow: false }),
    dispute: (intent: Intent, status?: string, of?: { amount?: number }): DoubleDispute =>
      openDispute(store, intent, status, of),
    escalateInquiry: (dispute: DoubleDispute): void => escalateInquiry(store, dispute),
    closeDispute: (dispute: DoubleDispute, outcome: 'won' | 'lost'): void => closeDispute(store, dispute, outcome),
    warn: (intent: Intent): FraudWarning => warn(store, intent),
    review: (intent: Intent): DoubleReview => openReview(store, intent),
    closeReview: (review: DoubleReview): void => closeReview(store, review),
    /** What is in the balance goes to the bank. */
    payOut: (currency = 'usd'): DoublePayout => payOut(store, currency),
    failRefund: (made: Refund): void => failRefund(store, made),
    completeRefund(made: Refund): void {
      made.status = 'succeeded';
      store.emit('refund.updated', made);
    },
  };
}

function callbacksOf(store: Store, nowSeconds: () => number) {
  let target: CallbackTarget | null = null;
  let isAuto = false;
  const sent: Promise<number>[] = [];
  const deliver = (event: StripeEvent): Promise<number> => sendCallback(target!, event, nowSeconds());
  store.onEvent = event => {
    if (isAuto) sent.push(deliver(event).catch(() => 0));
  };
  return {
    /** Where callbacks go; `auto` sends each at once, else `sendEvents` does. */
    callBack(to: CallbackTarget, { auto = false } = {}): void {
      target = to;
      isAuto = auto;
    },
    async sendEvents(events: StripeEvent[] = store.events): Promise<number[]> {
      const statuses: number[] = [];
      for (const event of events) statuses.push(await deliver(event));
      return statuses;
    },
    settle: async (): Promise<void> => void (await Promise.all(sent)),
  };
}

/** Stripe on the wire, in memory: for tests, on loopback. */
export async function startStripeDouble(options: StripeDoubleOptions = {}) {
  const nowSeconds = options.nowSeconds ?? (() => Math.floor(systemClock.nowMs() / 1000));
  const store = createStore(nowSeconds);
  const settings: DoubleSettings = {
    slowRefunds: false,
    largestPage: 100,
    searchLagSeconds: 60,
    capabilities: {},
    country: 'US',
    inactiveWallets: [],
    clockOffSeconds: 0,
  };
  const { server, faults, requests } = createDoubleServer(store, settings);
  await new Promise<void>(resolve => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    store,
    settings,
    requests,
    faults,
    ...actionsOn(store),
    ...callbacksOf(store, nowSeconds),
    findIntent: (id: string): Intent => findIntent(store, id),
    intentOf(paymentId: string): Intent {
      const found = [...store.intents.values()].find(({ metadata }) => metadata.payment_id === paymentId);
      if (!found) throw new Error(`the double has no intent of ${paymentId}`);
      return found;
    },
    movementsOf: (paymentId: string): string[] =>
      store.movements.filter(movement => movement.paymentId === paymentId).map(({ kind }) => kind),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

export type StripeDouble = Awaited<ReturnType<typeof startStripeDouble>>;
