import { DoubleError, invalid, missing } from './double-error.ts';
import { type FormFields, fieldsIn, textIn } from './form-body.ts';
import {
  checkAmount,
  checkBareMethod,
  checkMethod,
  checkTogether,
  checkToken,
  isReserving,
  typesOf,
} from './intent-rules.ts';
import { approve, cancel, capture, decline } from './money.ts';
import type { Intent, Method, Token } from './objects.ts';
import type { Store } from './store.ts';
import { TEST_METHODS, type TestMethod } from './test-methods.ts';

const TOKEN_SECONDS = 12 * 3_600;

export const metadataIn = (fields: FormFields): Record<string, string> =>
  fieldsIn(fields, 'metadata') as Record<string, string>;

function makeMethod(store: Store, { type, details, outcome }: TestMethod, livemode: boolean): Method {
  const method: Method = {
    id: store.newId('pm'),
    object: 'payment_method',
    type,
    customer: null,
    created: store.nowSeconds(),
    livemode,
    metadata: {},
    billing_details: { email: 'player@example.com', name: null, phone: null, address: null },
    [type]: details,
  };
  store.methods.set(method.id, method);
  store.outcomes.set(method.id, outcome);
  return method;
}

/** What the form in the browser does: `name` is one of the test methods, `drawnWith` what it was allowed to show. */
export function makeToken(
  store: Store,
  name: string,
  livemode: boolean,
  { setupFutureUsage, drawnWith }: { setupFutureUsage: string | null; drawnWith?: readonly string[] | undefined },
): Token {
  const test = TEST_METHODS[name];
  if (!test) throw invalid(`No such test method: ${name}`, { param: 'payment_method' });
  const method = makeMethod(store, test, livemode);
  const token: Token = {
    id: store.newId('ctoken'),
    object: 'confirmation_token',
    created: store.nowSeconds(),
    expires_at: store.nowSeconds() + TOKEN_SECONDS,
    livemode,
    payment_intent: null,
    payment_method_preview: { type: test.type, customer: null, billing_details: {}, [test.type]: test.details },
    return_url: null,
    setup_future_usage: setupFutureUsage,
  };
  store.tokens.set(token.id, token);
  if (drawnWith) store.drawnWith.set(token.id, drawnWith);
  store.outcomes.set(token.id, test.outcome);
  store.methods.set(`${token.id}/method`, method);
  return token;
}

export function findToken(store: Store, id: string, livemode: boolean): Token {
  const token = store.tokens.get(id);
  if (!token || token.livemode !== livemode) {
    throw missing('confirmation_token', id, 'confirmation_token', token !== undefined);
  }
  return token;
}

export function findIntent(store: Store, id: string): Intent {
  const intent = store.intents.get(id);
  if (!intent) throw missing('payment_intent', id, 'intent', false);
  return intent;
}

function methodFor(store: Store, fields: FormFields, livemode: boolean, intentId: string): Method {
  const tokenId = textIn(fields, 'confirmation_token');
  if (tokenId !== null) {
    const token = findToken(store, tokenId, livemode);
    if (token.payment_intent !== null) {
      throw invalid('This ConfirmationToken was used already.', { code: 'confirmation_token_already_used' });
    }
    checkToken(token, store.drawnWith.get(token.id), fields);
    token.payment_intent = intentId;
    return store.methods.get(`${token.id}/method`)!;
  }
  const data = fieldsIn(fields, 'payment_method_data');
  const type = textIn(data, 'type');
  if (type !== null) {
    checkBareMethod(data);
    const test = TEST_METHODS[type];
    if (!test) throw invalid(`The payment method ${type} is not activated.`, { code: 'payment_method_unactivated' });
    return makeMethod(store, test, livemode);
  }
  const id = textIn(fields, 'payment_method') ?? '';
  const method = store.methods.get(id);
  if (!method) throw missing('PaymentMethod', id, 'payment_method', false);
  if (method.customer === null && store.usedMethods.has(method.id)) {
    throw invalid('The PaymentMethod was used without a customer or was detached. It may not be used again.');
  }
  if (method.customer !== null && method.customer !== textIn(fields, 'customer')) {
    throw invalid('The payment method belongs to another customer.', { param: 'payment_method' });
  }
  return method;
}

const NEXT: Record<string, (url: string) => Record<string, unknown>> = {
  challenge: () => ({ type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } }),
  redirect: url => ({
    type: 'redirect_to_url',
    redirect_to_url: { url: 'https://bank.test/authorize', return_url: url },
  }),
  voucher: () => ({
    type: 'oxxo_display_details',
    oxxo_display_details: {
      number: '12345678',
      hosted_voucher_url: 'https://pay.test/voucher',
      expires_after: 4_102_444_800,
    },
  }),
};

/** What the bank says at once, or that it wants to ask first. */
function confirm(store: Store, intent: Intent, method: Method, fields: FormFields): void {
  intent.payment_method = method.id;
  // What was kept by a mandate pays without its own page, if the player is said to be away.
  const isAway = textIn(fields, 'off_session') === 'true' && method.customer !== null;
  store.usedMethods.add(method.id);
  if (intent.setup_future_usage !== null) method.customer = intent.customer;
  const wanted = store.outcomes.get(method.id) ?? 'approve';
  const outcome = isAway && wanted === 'redirect' ? 'approve' : wanted;
  if (outcome === 'approve') {
    approve(store, intent, method);
    return;
  }
  if (typeof outcome === 'object') {
    decline(store, intent, method, 'card_declined', outcome.decline);
    throw new DoubleError(402, { ...intent.last_payment_error, payment_intent: structuredClone(intent) });
  }
  if (outcome === 'processing') {
    intent.status = 'processing';
    store.emit('payment_intent.processing', intent);
    return;
  }
  intent.status = 'requires_action';
  intent.next_action = NEXT[outcome]!(textIn(fields, 'return_url') ?? '');
  store.emit('payment_intent.requires_action', intent);
}

export interface IntentRules {
  /** Currencies that this account can charge; others are refused. */
  currencies: ReadonlySet<string>;
}

export function createIntent(store: Store, fields: FormFields, livemode: boolean, rules: IntentRules): Intent {
  const amount = Number(textIn(fields, 'amount'));
  const currency = textIn(fields, 'currency') ?? '';
  if (!rules.currencies.has(currency)) throw invalid(`Invalid currency: ${currency}.`, { param: 'currency' });
  checkAmount(amount, currency);
  checkTogether(fields);
  const customer = textIn(fields, 'customer');
  if (customer !== null && !store.customers.has(customer)) throw missing('customer', customer, 'customer', false);
  const id = store.newId('pi');
  const isConfirmed = textIn(fields, 'confirm') === 'true';
  const method = isConfirmed ? methodFor(store, fields, livemode, id) : null;
  if (method) checkMethod(method.type, fields);
  const intent: Intent = {
    id,
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: textIn(fields, 'capture_method') ?? 'automatic_async',
    payment_method_options:
      method && isReserving(method.type, fields) ? { [method.type]: { capture_method: 'manual' } } : {},
    client_secret: `${id}_secret_${store.newId('s')}`,
    confirmation_method: 'automatic',
    created: store.nowSeconds(),
    currency,
    customer,
    description: textIn(fields, 'description'),
    last_payment_error: null,
    latest_charge: null,
    livemode,
    metadata: metadataIn(fields),
    next_action: null,
    payment_method: null,
    payment_method_types: typesOf(fields),
    review: null,
    setup_future_usage: textIn(fields, 'setup_future_usage'),
    status: 'requires_payment_method',
  };
  store.intents.set(id, intent);
  if (method) confirm(store, intent, method, fields);
  return intent;
}

export function captureIntent(store: Store, id: string, fields: FormFields): Intent {
  const intent = findIntent(store, id);
  const wanted = textIn(fields, 'amount_to_capture');
  const amount = wanted === null ? intent.amount_capturable : Number(wanted);
  if (intent.status === 'requires_capture' && amount > intent.amount_capturable) {
    throw invalid('The amount is more than what can be captured.', { code: 'amount_too_large' });
  }
  capture(store, intent, amount);
  return intent;
}

export function cancelIntent(store: Store, id: string): Intent {
  const intent = findIntent(store, id);
  cancel(store, intent);
  return intent;
}
