import { type CheckoutView, chooseLanguage, type TestCard } from '@coinslot/checkout-page';
import { orderIs } from '../../domain/order/order.ts';
import { isRefundable } from '../../domain/payment/methods/methods.ts';
import { brandName } from '../../domain/payment/providers/base/card.ts';
import { printedNumber, TEST_CARDS } from '../../domain/payment/providers/simulator/test-cards.ts';
import {
  ageMs,
  checkoutState,
  missingIn,
  payingForSeconds,
  SLOW_MS,
  secondsUntil,
} from '../../domain/purchase/checkout/checkout.ts';
import { formatDay, formatMinutes } from '../../kit/format.ts';
import { formProblem, formProblemDetail } from './form-problem.ts';
import { awaitedKind, isCollectedFirst, liveForm, methodName } from './live-view.ts';
import { languagePreferencesOf, numberLocale, orderFrame, type PageFacts, type RefusedForm } from './order-frame.ts';
import { acceptedMarks, lastCard, purchaseFacts } from './purchase-view.ts';

const OUTCOMES = {
  approve: 'pays',
  decline: 'declined',
  challenge: 'challenge',
  dispute_lost: 'dispute_lost',
  dispute_won: 'dispute_won',
} as const;

const isShown = (kind: string): kind is keyof typeof OUTCOMES => Object.hasOwn(OUTCOMES, kind);

/** What a player's page tries out; what a bank does days later is in the guide to sandbox. */
const CARDS: TestCard[] = TEST_CARDS.flatMap(card => {
  const { behavior } = card;
  if (!isShown(behavior.kind)) return [];
  const note =
    behavior.kind === 'decline'
      ? `${behavior.code} ${behavior.description}`
      : `${brandName(card.brand)}, ${card.country}`;
  return { number: printedNumber(card), outcome: OUTCOMES[behavior.kind], note };
});

/** Longer than this no player has to look at the page: the game is asked all the same, and the receipt comes by e-mail. */
const MAY_CLOSE_MS = 5_000;
/** The steps of `item.add` that a waiting player sees take about this long; what follows is minutes apart. */
const LATE_MS = 45_000;
const HOUR_MS = 3_600_000;
const SIMULATOR = 'simulator';
/** A player who opens the page later than this has come back to look, so the game is not opened automatically. */
const JUST_PAID_MS = 300_000;

export function pageView(facts: PageFacts, refused: RefusedForm | null = null): CheckoutView {
  const state = checkoutState(facts);
  const { language, tag } = chooseLanguage(languagePreferencesOf(facts));
  const locale = numberLocale(facts, { language, tag });
  const frame = orderFrame(facts, state, language, locale);
  const { order, now } = facts;
  const receiptEmail = order.email;
  if (state === 'ready' || state === 'claim') {
    const form = openForm(facts, refused, locale);
    if (state === 'claim') return { state, ...frame, ...form };
    const { live } = facts;
    const testCards = facts.sandbox || live?.provider.isSimulated ? CARDS : [];
    return { state, testCards, ...frame, ...form, live: live && liveForm(live, order, facts.saved) };
  }
  if (state === 'paying') {
    const [quick, slow] = [payingForSeconds(facts, SLOW_MS), payingForSeconds(facts)];
    return { state, ...frame, renewInSeconds: quick ?? slow, slow: quick === null };
  }
  if (state === 'asking') {
    const [stays, early] = [MAY_CLOSE_MS, LATE_MS].map(ms => secondsUntil(calledSince(facts), ms, now));
    const renewInSeconds = stays ?? early ?? null;
    return { state, ...frame, receiptEmail, renewInSeconds, mayClose: stays === null, late: early === null };
  }
  if (state === 'waiting_no_webhook') return { state, ...frame, receiptEmail };
  if (state === 'done') {
    const earlier = ageMs(order.paidAt ?? order.updatedAt, now) > JUST_PAID_MS;
    return { state, ...frame, receiptEmail, earlier, facts: purchaseFacts(facts, locale) };
  }
  if (state === 'not_connected') return { state, ...frame, missing: missingIn(facts) };
  if (state === 'challenge')
    return { state, ...frame, by: facts.payment?.gateway === SIMULATOR ? 'simulator' : 'provider' };
  if (state === 'awaiting') return { state, ...frame, receiptEmail, ...awaitedView(facts, locale) };
  if (state === 'rejected') {
    // The page never promises what the provider refused.
    const owed = facts.payment?.status === 'succeeded' || !isRefundableHere(facts);
    return {
      state,
      ...frame,
      returned: isCollectedFirst(facts.payment?.method ?? ''),
      owed,
      message: facts.playerMessage,
      facts: purchaseFacts(facts, locale),
    };
  }
  return { state, ...frame, facts: purchaseFacts(facts, locale) };
}

/** The purchase to print; null for an order that was never paid. */
export function receiptView(facts: PageFacts): CheckoutView | null {
  const { order } = facts;
  if (order.paidAt === null) return null;
  const { language, tag } = chooseLanguage(languagePreferencesOf(facts));
  const locale = numberLocale(facts, { language, tag });
  const refunded = orderIs(order.status, 'money_back');
  const frame = orderFrame(facts, 'receipt', language, locale);
  return { state: 'receipt', ...frame, facts: purchaseFacts(facts, locale), refunded };
}

const isRefundableHere = ({ payment, live }: PageFacts): boolean =>
  isRefundable(
    payment?.method ?? '',
    live?.providers.find(({ gateway }) => gateway.name === payment?.gateway)?.abilities ?? null,
  );

function awaitedView(facts: PageFacts, locale: string) {
  const { method = '', instructions } = facts.payment ?? {};
  return {
    kind: awaitedKind(method),
    method: methodName(method),
    reference: instructions?.reference ?? null,
    until: instructions?.expiresAt ? formatDay(instructions.expiresAt, locale) : null,
    slipUrl: instructions?.url ?? null,
    refundable: isRefundableHere(facts),
  };
}

const calledSince = ({ order, payment }: PageFacts): Date => payment?.authorizedAt ?? order.updatedAt;

function openForm(facts: PageFacts, refused: RefusedForm | null, locale: string) {
  const { order, payment, now } = facts;
  const leftMs = order.expiresAt.getTime() - now.getTime();
  return {
    email: refused?.email ?? order.email ?? payment?.email ?? '',
    problem: refused ? (refused.problem ?? ('check_fields' as const)) : formProblem(payment),
    problemDetail: refused ? null : formProblemDetail(payment),
    retryInMinutes: refused?.retryInMinutes ?? null,
    fieldErrors: refused?.fieldErrors ?? {},
    kept: refused?.kept ?? facts.kept,
    lastCard: refused ? null : lastCard(payment),
    accepted: order.amountMinor === 0 ? [] : acceptedMarks(facts),
    renewInSeconds: leftMs < HOUR_MS ? Math.max(1, Math.ceil(leftMs / 1000)) : null,
    timeLeft: leftMs < HOUR_MS ? formatMinutes(Math.max(1, Math.floor(leftMs / 60_000)), locale) : null,
  };
}
