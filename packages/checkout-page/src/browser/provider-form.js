// @ts-check
// The provider's form in the page. Card data goes from its frame to the provider and never through this script.
import { field, isComplete } from './card-form.js';
import { attemptKey, chooseCard, facts, isStillOpen, openAnew } from './checkout.js';

/** @typedef {{ client_secret: string | null, redirect_url: string | null }} NextAction */
/** @typedef {import('@stripe/stripe-js').Stripe} Provider */
/** @typedef {import('@stripe/stripe-js').StripeElements} Elements */
/** @typedef {import('@stripe/stripe-js').StripePaymentElement} ProviderElement */
/** @typedef {ReturnType<Elements['submit']>} Checking */

/** @type {Promise<Provider> | undefined} */
let loading;
/** @type {Provider | undefined} */
let ready;
/** @type {Elements | undefined} */
let elements;
/** @type {ProviderElement | undefined} */
let drawn;
let method = '';
/** @type {'on_session' | 'off_session' | null} */
let howKept = null;
let busy = false;

const box = () => document.getElementById('provider');

/** Loads the provider's script once; a failed load can be retried. @param {HTMLElement} place @returns {Promise<Provider>} */
function loadProvider(place) {
  loading ??= new Promise((done, fail) => {
    const script = document.createElement('script');
    script.src = place.dataset.script ?? '';
    script.addEventListener('load', () => done(/** @type {any} */ (globalThis).Stripe(place.dataset.key)));
    script.addEventListener('error', () => {
      loading = undefined;
      script.remove();
      fail(new Error('no script'));
    });
    document.head.append(script);
  });
  return loading;
}

/** Styles the provider's fields like the page. @returns {import('@stripe/stripe-js').Appearance} */
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

/** @param {string} words */
function complain(words) {
  const place = document.getElementById('provider_error');
  if (place) place.textContent = words;
}

const options = () => JSON.parse(box()?.dataset.options ?? '{}');

/** Offers to save only methods that can be saved. @returns {'on_session' | 'off_session' | null} how to save it, if the player wants it saved */
function showWish() {
  const wish = document.getElementById('save_method');
  if (!(wish instanceof HTMLInputElement) || !wish.parentElement) return null;
  const how = options().savable[method] ?? null;
  wish.parentElement.hidden = how === null;
  return wish.checked ? how : null;
}

/** Says below the button when the selected method's money moves. @param {HTMLElement} place */
function showCharges(place) {
  const form = place.closest('form');
  const charges = options().charges[method];
  if (charges) form?.setAttribute('data-charges', charges);
  else form?.removeAttribute('data-charges');
}

/** The form hears of a changed wish at once, so that nothing is left to say when the player pays. */
function passWish() {
  const wish = showWish();
  if (wish === howKept) return;
  howKept = wish;
  // A form that was replaced meanwhile may refuse; that concerns no payment.
  Promise.resolve(elements?.update({ setupFutureUsage: wish })).catch(() => {});
}

/** The page is drawn again after each answer; a form that was left behind would keep listening. */
function takeDown() {
  drawn?.destroy();
  drawn = undefined;
  elements = undefined;
  howKept = null;
}

/** If the provider's script fails, shows the methods that work without it. @param {HTMLElement} place */
function fallBack(place) {
  const form = place.closest('form');
  const without = form?.querySelector('noscript');
  complain(place.dataset.failed ?? '');
  if (!form || !without?.textContent?.includes('name="method"')) return;
  const list = new DOMParser().parseFromString(without.textContent, 'text/html').querySelector('fieldset');
  if (list) place.replaceChildren(list);
  form.dataset.live = 'plain';
}

export async function drawProvider() {
  const place = box();
  takeDown();
  if (!place?.closest('form')) return;
  place.textContent = place.dataset.loading ?? '';
  complain('');
  try {
    const provider = await loadProvider(place);
    ready = provider;
    // Two draws may have waited for the same script.
    takeDown();
    place.textContent = '';
    const { amount, currency, types, order, locale, business } = options();
    method = order[0];
    elements = provider.elements({
      mode: 'payment',
      amount,
      currency,
      // The list is a filter: methods that are off at the provider are left out instead of breaking the form.
      allowedPaymentMethodTypes: types,
      locale,
      appearance: appearance(),
    });
    const element = elements.create('payment', {
      layout: { type: 'accordion', defaultCollapsed: false, radios: 'if_multiple', spacedAccordionItems: false },
      paymentMethodOrder: order,
      fields: { billingDetails: { email: 'never' } },
      business: { name: business },
    });
    element.on('change', event => {
      method = event.value.type;
      complain('');
      passWish();
      showCharges(place);
    });
    element.on('focus', chooseCard);
    element.on('loaderror', () => fallBack(place));
    element.mount(place);
    drawn = element;
    document.getElementById('save_method')?.addEventListener('change', passWish);
    passWish();
    showCharges(place);
  } catch {
    place.textContent = '';
    fallBack(place);
  }
}

/** @param {HTMLElement | null} button @param {boolean} on */
function work(button, on) {
  busy = on;
  if (!button) return;
  button.dataset.idle ??= button.textContent ?? '';
  button.textContent = (on ? (button.dataset.working ?? button.dataset.idle) : button.dataset.idle) ?? '';
  button.classList.toggle('working', on);
  button.toggleAttribute('disabled', on);
}

/** @param {string} part @param {Record<string, string>} fields */
async function post(part, fields = {}) {
  const body = new URLSearchParams(fields);
  const answer = await fetch(`${facts().base}${part}`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body,
  });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/** The server asks the provider for the result in any case, and the page shows that. @param {Provider} provider @param {NextAction | null} action */
async function act(provider, action) {
  if (action?.client_secret) {
    // Throws when the player has already confirmed in another tab or in the bank's app.
    await provider.handleNextAction({ clientSecret: action.client_secret }).catch(() => {});
    await post('/return');
  } else if (action?.redirect_url) return location.assign(action.redirect_url);
  await openAnew();
}

/** @param {Provider} provider @param {Elements} fields @param {Checking} checking @param {string} email */
async function tokenFor(provider, fields, checking, email) {
  const checked = await checking;
  if (checked.error) return checked;
  const params = { payment_method_data: { billing_details: { email } } };
  return provider.createConfirmationToken({ elements: fields, params });
}

/** @param {HTMLFormElement} form */
export async function payWithProvider(form) {
  const place = box();
  if (busy || !place || !isComplete(form)) return;
  const provider = ready;
  const fields = elements;
  // Before anything is awaited: a wallet opens its sheet only in the task of the click itself.
  const checking = fields?.submit();
  const button = document.getElementById('submit');
  const save = showWish() ? { save_method: 'on' } : null;
  work(button, true);
  complain('');
  try {
    if (!provider || !fields || !checking) return await drawProvider();
    const email = field('email')?.value ?? '';
    const { error, confirmationToken } = /** @type {any} */ (await tokenFor(provider, fields, checking, email));
    if (!confirmationToken) return complain(error?.message ?? place.dataset.failed ?? '');
    const token = { provider_token: confirmationToken.id, offered: options().types.join(' ') };
    const { action } = await post('/pay', { email, method, attempt: attemptKey(), ...token, ...save });
    await act(provider, action);
  } catch {
    // Whether the server received it is unknown. Sent again, it is the same attempt.
    if (await isStillOpen()) complain(facts().unreachable ?? '');
  } finally {
    work(button, false);
  }
}

/** The player leaves for pages of the provider's own. @param {HTMLFormElement} form @param {string} wallet @param {HTMLElement | null} button */
export async function payByRedirect(form, wallet, button) {
  if (busy || !isComplete(form)) return;
  const email = field('email')?.value ?? '';
  const save = new FormData(form).get('save_method') === 'on' ? { save_method: 'on' } : null;
  work(button, true);
  complain('');
  try {
    const { action } = await post('/pay', { email, wallet, ...save });
    if (action?.redirect_url) return location.assign(action.redirect_url);
    await openAnew();
  } catch {
    // Whether the server received it is unknown. Once online again, the page follows the order.
    await openAnew().catch(() => complain(facts().offline ?? ''));
  } finally {
    work(button, false);
  }
}

/** Continues a payment that waits for a confirmation. @param {HTMLElement} link */
export async function continueWithProvider(link) {
  const place = box();
  if (busy || !place) return;
  work(link, true);
  try {
    await act(await loadProvider(place), (await post('/action')).action);
  } catch {
    // Without the provider's script the link leads to the same confirmation.
    if (link instanceof HTMLAnchorElement) location.assign(link.href);
  } finally {
    work(link, false);
  }
}
