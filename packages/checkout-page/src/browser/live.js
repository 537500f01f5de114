// @ts-check
// What live adds to the page's script.
import { chooseCard } from './checkout.js';
import { continueWithProvider, drawProvider, payByRedirect, payWithProvider } from './provider-form.js';

/** @type {Element | null} */
let shown = null;

/** @param {HTMLElement | null} submitter */
const walletOf = submitter =>
  submitter instanceof HTMLButtonElement && submitter.name === 'wallet' ? submitter.value : '';

/** What an earlier attempt marked concerns the card alone. @param {HTMLInputElement} input */
function ignore(input) {
  delete input.dataset.says;
  input.removeAttribute('aria-invalid');
  const place = document.getElementById(`${input.name}_error`);
  if (place) place.textContent = '';
}

/** Ignores the card fields unless the card is selected. @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
function prepareOwn(form, submitter) {
  const wallet = walletOf(submitter);
  const chosen = new FormData(form).get('method');
  for (const input of form.querySelectorAll('input')) {
    if (!input.closest('.own') || !(input.dataset.says ?? input.dataset.kept)) continue;
    input.dataset.kept ??= input.dataset.says ?? '';
    if (wallet || chosen !== 'card') ignore(input);
    else input.dataset.says = input.dataset.kept;
  }
  form.querySelector('[type=hidden][name=wallet]')?.remove();
  if (!wallet) return;
  // The page's script disables buttons on submit, and a disabled button's value is not sent.
  const kept = document.createElement('input');
  Object.assign(kept, { type: 'hidden', name: 'wallet', value: wallet });
  form.append(kept);
}

// Runs before the page's own submit listener.
document.addEventListener(
  'submit',
  event => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    if (form.dataset.live === 'own') prepareOwn(form, event.submitter);
    const kind = form.dataset.live;
    if (kind !== 'provider' && kind !== 'redirect') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const chosen = kind === 'redirect' ? new FormData(form).get('method') : null;
    const leaving = walletOf(event.submitter) || (typeof chosen === 'string' ? chosen : '');
    void (leaving ? payByRedirect(form, leaving, event.submitter) : payWithProvider(form));
  },
  true,
);

/** One tap from a decline to the next method. @param {Event} event */
function goElsewhere(event) {
  const other = document.querySelector('#ways [name=method]:not(:checked)');
  if (!(other instanceof HTMLInputElement)) return;
  event.preventDefault();
  other.checked = true;
  other.focus();
}

document.addEventListener('click', event => {
  if (event.target instanceof Element && event.target.id === 'elsewhere') return goElsewhere(event);
  const link = event.target instanceof Element ? event.target.closest('#continue') : null;
  if (!(link instanceof HTMLElement) || !document.getElementById('provider')) return;
  event.preventDefault();
  void continueWithProvider(link);
});

function beginLive() {
  const main = document.querySelector('main');
  if (main === shown) return;
  shown = main;
  for (const way of document.querySelectorAll('[name=method]')) way.addEventListener('change', chooseCard);
  void drawProvider();
}

// The page's script replaces the content.
new MutationObserver(beginLive).observe(document.body, { childList: true });
beginLive();
