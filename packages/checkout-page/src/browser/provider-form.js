// @ts-check
// Runs the form of any provider. The provider's own script part draws it.
import { field, isComplete } from './card-form.js';
import { attemptKey, chooseCard, facts, isStillOpen, refreshPage } from './checkout.js';
import { fieldProblem } from './field-rules.js';

/** @typedef {{ client_secret: string | null, redirect_url: string | null }} NextAction */
/** @typedef {import('./provider-page.ts').ProviderPage} ProviderPage */
/** @typedef {import('./provider-page.ts').FormOptions} FormOptions */
/** @typedef {import('./provider-page.ts').SubmittedForm} SubmittedForm */
/** @typedef {import('./provider-page.ts').WalletPayment} WalletPayment */

/** @type {Promise<ProviderPage> | undefined} */
let loading;
/** @type {ProviderPage | undefined} */
let ready;
let method = '';
/** @type {string | null} */
let saveMode = null;
let busy = false;

const box = () => document.getElementById('provider');

/**
 * Loads the provider's script once. A failed load can be retried.
 * @param {HTMLElement} place
 * @returns {Promise<ProviderPage>}
 */
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
function showError(words) {
  const place = document.getElementById('provider_error');
  if (place) place.textContent = words;
}

/** @returns {FormOptions} */
const options = () => JSON.parse(box()?.dataset.options ?? '{}');

/**
 * Offers to save only methods that can be saved.
 * @returns {string | null} how to save the method, if the player wants that
 */
function showSaveOption() {
  const option = document.getElementById('save_method');
  if (!(option instanceof HTMLInputElement) || !option.parentElement) return null;
  const how = options().savable[method] ?? null;
  option.parentElement.hidden = how === null;
  return option.checked ? how : null;
}

/** Says below the button when the money of the selected method is taken. @param {HTMLElement} place */
function showCharges(place) {
  const form = place.closest('form');
  const charges = options().charges[method];
  if (charges) form?.setAttribute('data-charges', charges);
  else form?.removeAttribute('data-charges');
}

/** Tells the provider's form at once, so that nothing is left to do when the player pays. */
function syncSaveOption() {
  const mode = showSaveOption();
  if (mode === saveMode) return;
  saveMode = mode;
  ready?.setSaveMode(mode);
}

/** Runs before each redraw, because every answer replaces the page's content. */
function unmount() {
  ready?.unmount();
  saveMode = null;
}

/** If the provider's script fails, shows the methods that work without it. @param {HTMLElement} place */
function showFallback(place) {
  const form = place.closest('form');
  const without = form?.querySelector('noscript');
  showError(place.dataset.failed ?? '');
  if (!form || !without?.textContent?.includes('name="method"')) return;
  const list = new DOMParser().parseFromString(without.textContent, 'text/html').querySelector('fieldset');
  if (list) place.replaceChildren(list);
  form.dataset.live = 'plain';
}

/** @param {HTMLElement} place */
const formEvents = place => ({
  /** @param {string} type */
  chosen(type) {
    method = type;
    showError('');
    syncSaveOption();
    showCharges(place);
  },
  focused: chooseCard,
  failed: () => showFallback(place),
  /** @param {boolean} any */
  walletsFound: any => document.getElementById('express')?.toggleAttribute('data-found', any),
  /** @param {WalletPayment} payment */
  approved: payment => void payWithWallet(place, payment),
});

export async function mountProvider() {
  const place = box();
  unmount();
  if (!place?.closest('form')) return;
  // A provider cannot draw into what is folded away, and its script is not needed before.
  const fold = place.closest('details');
  if (fold && !fold.open) return fold.addEventListener('toggle', () => void mountProvider(), { once: true });
  place.textContent = place.dataset.loading ?? '';
  showError('');
  try {
    ready = await loadProvider(place);
    // Two calls may have waited for the same script.
    unmount();
    place.textContent = '';
    const shown = options();
    method = shown.order[0] ?? '';
    ready.mount(place, shown, formEvents(place), document.getElementById('express'));
    document.getElementById('save_method')?.addEventListener('change', syncSaveOption);
    syncSaveOption();
    showCharges(place);
  } catch {
    place.textContent = '';
    showFallback(place);
  }
}

/** @param {HTMLElement | null} button @param {boolean} on */
function setButtonBusy(button, on) {
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

/**
 * The server asks the provider for the result, and the page then shows it.
 * @param {ProviderPage} provider
 * @param {NextAction | null} action
 */
async function act(provider, action) {
  if (action?.client_secret) {
    await provider.confirm(action.client_secret);
    await post('/return');
  } else if (action?.redirect_url) return location.assign(action.redirect_url);
  await refreshPage();
}

/** @param {HTMLFormElement} form */
export async function payWithProvider(form) {
  const place = box();
  if (busy || !place || !isComplete(form)) return;
  const email = field('email')?.value ?? '';
  // This must come before any `await`, because a wallet opens its sheet only in the task of the click.
  const submitting = ready?.submit(email);
  /** @type {Record<string, string>} */
  const save = showSaveOption() ? { save_method: 'on' } : {};
  if (submitting) await payByToken(place, submitting, { ...save, email, method });
  else await mountProvider();
}

/**
 * The receipt goes to the wallet's address, unless the player typed another.
 * @param {HTMLElement} place
 * @param {WalletPayment} payment
 */
async function payWithWallet(place, { method: wallet, email: address, submit, failed }) {
  const input = field('email');
  if (input && !input.value) input.value = address;
  const email = input?.value ?? '';
  const form = place.closest('form');
  if (busy || !form || fieldProblem('email', { email }, { now: new Date(), sandbox: false })) {
    failed();
    if (form) isComplete(form);
    return;
  }
  if (!(await payByToken(place, submit(email), { email, method: wallet }))) failed();
}

/**
 * Whether the server took the token.
 * @param {HTMLElement} place
 * @param {Promise<SubmittedForm>} submitting
 * @param {Record<string, string>} fields
 */
async function payByToken(place, submitting, fields) {
  const button = document.getElementById('submit');
  const provider = ready;
  setButtonBusy(button, true);
  showError('');
  try {
    const submitted = await submitting;
    if (!provider || !('token' in submitted)) {
      showError(('problem' in submitted && submitted.problem) || (place.dataset.failed ?? ''));
      return false;
    }
    const token = { provider_token: submitted.token, offered: options().types.join(' ') };
    const { action } = await post('/pay', { ...fields, attempt: attemptKey(), ...token });
    await act(provider, action);
    return true;
  } catch {
    // The server may or may not have received the payment. Sending it again is the same attempt.
    if (!(await isStillOpen())) return true;
    showError(facts().unreachable ?? '');
    return false;
  } finally {
    setButtonBusy(button, false);
  }
}

/**
 * Sends the player to the provider's own pages.
 * @param {HTMLFormElement} form
 * @param {string} wallet
 * @param {HTMLElement | null} button
 */
export async function payByRedirect(form, wallet, button) {
  if (busy || !isComplete(form)) return;
  const email = field('email')?.value ?? '';
  const save = new FormData(form).get('save_method') === 'on' ? { save_method: 'on' } : null;
  setButtonBusy(button, true);
  showError('');
  try {
    const { action } = await post('/pay', { email, wallet, ...save });
    if (action?.redirect_url) return location.assign(action.redirect_url);
    await refreshPage();
  } catch {
    // The server may or may not have received the payment. Once online again, the page follows the order.
    await refreshPage().catch(() => showError(facts().offline ?? ''));
  } finally {
    setButtonBusy(button, false);
  }
}

/** Continues a payment that waits for a confirmation. @param {HTMLElement} link */
export async function continueWithProvider(link) {
  const place = box();
  if (busy || !place) return;
  setButtonBusy(link, true);
  try {
    await act(await loadProvider(place), (await post('/action')).action);
  } catch {
    // Without the provider's script the link leads to the same confirmation.
    if (link instanceof HTMLAnchorElement) location.assign(link.href);
  } finally {
    setButtonBusy(link, false);
  }
}
