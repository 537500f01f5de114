// @ts-check
// The provider's own form in the page. Card data goes from its frame to the provider and never through here.
import { field, isComplete } from './card-form.js';
import { chooseCard, facts, openAnew } from './checkout.js';

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
let isKept = false;
let busy = false;

const box = () => document.getElementById('provider');

/** Once for the page's life; a failed try may be made again. @param {HTMLElement} place @returns {Promise<Provider>} */
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

/** The provider's fields wear the page's colours. @returns {import('@stripe/stripe-js').Appearance} */
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

/** Only what can be kept is offered to be kept. @returns {boolean} whether the player wants it kept */
function showWish() {
  const wish = document.getElementById('save_method');
  if (!(wish instanceof HTMLInputElement) || !wish.parentElement) return false;
  const canKeep = options().savable.includes(method);
  wish.parentElement.hidden = !canKeep;
  return canKeep && wish.checked;
}

/** Told to the form at once, so that nothing is left to tell when the player pays. */
function tellWish() {
  const wish = showWish();
  if (wish === isKept) return;
  isKept = wish;
  // A form that was replaced meanwhile may refuse; what it is told then concerns no payment.
  Promise.resolve(elements?.update({ setupFutureUsage: wish ? 'on_session' : null })).catch(() => {});
}

/** The page is drawn anew after each answer; a form that was left behind would go on listening. */
function takeDown() {
  drawn?.destroy();
  drawn = undefined;
  elements = undefined;
  isKept = false;
}

/** What works without script works without the provider's too. @param {HTMLElement} place */
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
      // A filter: what the studio has not switched on at the provider is left out, instead of breaking the form.
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
      tellWish();
    });
    element.on('focus', chooseCard);
    element.on('loaderror', () => fallBack(place));
    element.mount(place);
    drawn = element;
    document.getElementById('save_method')?.addEventListener('change', tellWish);
    tellWish();
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
  button.textContent = (on ? button.dataset.working : button.dataset.idle) ?? '';
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

/** Whatever comes of it, the server asks the provider and the page shows the truth. @param {Provider} provider @param {NextAction | null} action */
async function act(provider, action) {
  if (action?.client_secret) {
    // It throws when the bank was answered meanwhile, in another tab or in the bank's app.
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
    const { action } = await post('/pay', { email, method, ...token, ...save });
    await act(provider, action);
  } catch {
    // Whether the shop heard of it is not known here. Once there is a connection the page follows the order by itself.
    await openAnew().catch(() => complain(facts().offline ?? ''));
  } finally {
    work(button, false);
  }
}

/** The player came back to a page that waits for a confirmation. @param {HTMLElement} link */
export async function continueWithProvider(link) {
  const place = box();
  if (busy || !place) return;
  work(link, true);
  try {
    await act(await loadProvider(place), (await post('/action')).action);
  } catch {
    // Without the provider's script the link leads to the same question.
    if (link instanceof HTMLAnchorElement) location.assign(link.href);
  } finally {
    work(link, false);
  }
}
