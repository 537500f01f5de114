// @ts-check
// The provider's form in the page, whichever provider it is: the provider's own part of the page draws it.
import { field, isComplete } from './card-form.js';
import { attemptKey, chooseCard, facts, isStillOpen, openAnew } from './checkout.js';

/** @typedef {{ client_secret: string | null, redirect_url: string | null }} NextAction */
/** @typedef {import('./provider-page.ts').ProviderPage} ProviderPage */
/** @typedef {import('./provider-page.ts').FormOptions} FormOptions */

/** @type {Promise<ProviderPage> | undefined} */
let loading;
/** @type {ProviderPage | undefined} */
let ready;
let method = '';
/** @type {string | null} */
let howKept = null;
let busy = false;

const box = () => document.getElementById('provider');

/** Loads the provider's script once; a failed load can be retried. @param {HTMLElement} place @returns {Promise<ProviderPage>} */
function loadProvider(place) {
  loading ??= new Promise((done, fail) => {
    const script = document.createElement('script');
    script.src = place.dataset.script ?? '';
    script.addEventListener('load', () => {
      try {
        done(/** @type {any} */ (globalThis).openProviderPage(place.dataset.key));
      } catch (error) {
        fail(error);
      }
    });
    script.addEventListener('error', () => {
      loading = undefined;
      script.remove();
      fail(new Error('no script'));
    });
    document.head.append(script);
  });
  return loading;
}

/** @param {string} words */
function complain(words) {
  const place = document.getElementById('provider_error');
  if (place) place.textContent = words;
}

/** @returns {FormOptions} */
const options = () => JSON.parse(box()?.dataset.options ?? '{}');

/** Offers to save only methods that can be saved. @returns {string | null} how to save it, if the player wants it saved */
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
  ready?.keep(wish);
}

/** The page is drawn again after each answer. */
function takeDown() {
  ready?.takeDown();
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

/** @param {HTMLElement} place */
const newsFor = place => ({
  /** @param {string} type */
  chosen(type) {
    method = type;
    complain('');
    passWish();
    showCharges(place);
  },
  focused: chooseCard,
  failed: () => fallBack(place),
});

export async function drawProvider() {
  const place = box();
  takeDown();
  if (!place?.closest('form')) return;
  place.textContent = place.dataset.loading ?? '';
  complain('');
  try {
    ready = await loadProvider(place);
    // Two draws may have waited for the same script.
    takeDown();
    place.textContent = '';
    const shown = options();
    method = shown.order[0] ?? '';
    ready.draw(place, shown, newsFor(place));
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

/** The server asks the provider for the result in any case, and the page shows that. @param {ProviderPage} provider @param {NextAction | null} action */
async function act(provider, action) {
  if (action?.client_secret) {
    await provider.confirm(action.client_secret);
    await post('/return');
  } else if (action?.redirect_url) return location.assign(action.redirect_url);
  await openAnew();
}

/** @param {HTMLFormElement} form */
export async function payWithProvider(form) {
  const place = box();
  if (busy || !place || !isComplete(form)) return;
  const provider = ready;
  const email = field('email')?.value ?? '';
  // Before anything is awaited: a wallet opens its sheet only in the task of the click itself.
  const submitting = provider?.submit(email);
  const button = document.getElementById('submit');
  const save = showWish() ? { save_method: 'on' } : null;
  work(button, true);
  complain('');
  try {
    if (!provider || !submitting) return await drawProvider();
    const submitted = await submitting;
    if (!('token' in submitted)) return complain(submitted.problem ?? place.dataset.failed ?? '');
    const token = { provider_token: submitted.token, offered: options().types.join(' ') };
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
