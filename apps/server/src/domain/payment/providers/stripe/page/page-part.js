// @ts-check
// Stripe's form in the payment page. Card data goes from its frame to Stripe and never through this script.

/** @typedef {import('@stripe/stripe-js').Stripe} Stripe */
/** @typedef {import('@stripe/stripe-js').StripeElements} Elements */
/** @typedef {import('@stripe/stripe-js').StripePaymentElement} PaymentElement */
/** @typedef {import('@stripe/stripe-js').StripeExpressCheckoutElement} WalletButtons */
/** @typedef {import('@coinslot/checkout-page').FormOptions} FormOptions */
/** @typedef {import('@coinslot/checkout-page').FormEvents} FormEvents */
/** @typedef {import('@coinslot/checkout-page').SubmittedForm} SubmittedForm */

/** Languages that Stripe names differently or does not have (`auto` follows the browser). @type {Record<string, import('@stripe/stripe-js').StripeElementLocale>} */
const LOCALES = { 'zh-Hans': 'zh', 'zh-Hant': 'zh-TW', uk: 'auto', hi: 'auto' };

/** @param {string} language */
const localeOf = language =>
  LOCALES[language] ?? /** @type {import('@stripe/stripe-js').StripeElementLocale} */ (language);

/** Styles the fields like the page. @returns {import('@stripe/stripe-js').Appearance} */
function appearance() {
  const style = getComputedStyle(document.documentElement);
  /** @param {string} name */
  const color = name => style.getPropertyValue(name).trim();
  return {
    theme: style.colorScheme === 'dark' ? 'night' : 'stripe',
    variables: {
      colorPrimary: color('--ring'),
      colorBackground: color('--surface'),
      colorText: color('--ink'),
      colorTextSecondary: color('--soft'),
      colorDanger: color('--bad'),
      borderRadius: '8px',
      spacingUnit: '4px',
      fontFamily: 'system-ui, sans-serif',
    },
  };
}

/** @param {Stripe} stripe @param {FormOptions} options @returns {Elements} */
const elementsFor = (stripe, { amount, currency, types, language }) =>
  stripe.elements({
    mode: 'payment',
    amount,
    currency,
    // The list is a filter: methods that are off at Stripe are left out instead of breaking the form.
    allowedPaymentMethodTypes: [...types],
    locale: localeOf(language),
    appearance: appearance(),
  });

/** @param {Elements} elements @param {FormOptions} options @returns {PaymentElement} */
const formFor = (elements, { order, business }) =>
  elements.create('payment', {
    layout: { type: 'accordion', defaultCollapsed: false, radios: 'if_multiple', spacedAccordionItems: false },
    paymentMethodOrder: [...order],
    fields: { billingDetails: { email: 'never' } },
    // They have their buttons above the form.
    wallets: { applePay: 'never', googlePay: 'never' },
    business: { name: business },
  });

/**
 * Wallets that pay with one tap and bring the player's e-mail address. They have elements of their own, because submitting
 * those of the form would ask for a card.
 * @param {Stripe} stripe
 * @param {FormOptions} options
 * @param {FormEvents} events
 * @returns {WalletButtons}
 */
function walletsFor(stripe, options, { walletsFound, approved }) {
  const elements = elementsFor(stripe, options);
  /** @param {string} id */
  const when = id => (options.order.includes(id) ? 'auto' : 'never');
  const buttons = elements.create('expressCheckout', {
    emailRequired: true,
    buttonHeight: 48,
    paymentMethods: {
      applePay: when('apple_pay'),
      googlePay: when('google_pay'),
      amazonPay: 'never',
      klarna: 'never',
      link: 'never',
      paypal: 'never',
    },
  });
  buttons.on('ready', ({ availablePaymentMethods }) => walletsFound(Boolean(availablePaymentMethods)));
  buttons.on('confirm', event =>
    approved({
      method: event.expressPaymentType,
      email: event.billingDetails?.email ?? '',
      submit: email => tokenFor(stripe, elements, email),
      failed: () => event.paymentFailed(),
    }),
  );
  return buttons;
}

/** @param {Stripe} stripe @param {Elements} elements @param {string} email @returns {Promise<SubmittedForm>} */
async function tokenFor(stripe, elements, email) {
  // A wallet opens its sheet only in the task of the click, so nothing may be awaited before this call.
  const checked = await elements.submit();
  if (checked.error) return { problem: checked.error.message };
  const params = { payment_method_data: { billing_details: { email } } };
  const { error, confirmationToken } = await stripe.createConfirmationToken({ elements, params });
  return confirmationToken ? { token: confirmationToken.id } : { problem: error?.message };
}

/** @type {import('@coinslot/checkout-page').OpenProviderPage} */
function openStripe(key) {
  /** @type {Stripe} */
  const stripe = /** @type {any} */ (globalThis).Stripe(key);
  /** @type {Elements | undefined} */
  let elements;
  /** @type {PaymentElement | undefined} */
  let drawn;
  /** @type {WalletButtons | undefined} */
  let wallets;
  return {
    mount(place, options, events, beside) {
      const { chosen, focused, failed } = events;
      elements = elementsFor(stripe, options);
      const form = formFor(elements, options);
      form.on('change', ({ value }) => chosen(value.type));
      form.on('focus', focused);
      form.on('loaderror', failed);
      form.mount(place);
      drawn = form;
      if (!beside) return;
      wallets = walletsFor(stripe, options, events);
      wallets.mount(beside);
    },
    unmount() {
      // A form that is only left behind keeps listening.
      drawn?.destroy();
      wallets?.destroy();
      drawn = undefined;
      wallets = undefined;
      elements = undefined;
    },
    setSaveMode(how) {
      const setupFutureUsage = /** @type {'on_session' | 'off_session' | null} */ (how);
      // A form that was replaced meanwhile may refuse; that concerns no payment.
      Promise.resolve(elements?.update({ setupFutureUsage })).catch(() => {});
    },
    submit: email => (elements ? tokenFor(stripe, elements, email) : null),
    async confirm(clientSecret) {
      // Throws when the player has already confirmed in another tab or in the bank's app.
      await stripe.handleNextAction({ clientSecret }).catch(() => {});
    },
  };
}

Object.assign(globalThis, { openProviderPage: openStripe });
