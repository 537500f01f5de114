// @ts-check
// The part of the page's script that only live pages need.
import { chooseCard } from './checkout.js';
import { continueWithProvider, mountProvider, payByRedirect, payWithProvider } from './provider-form.js';

/** @type {Element | null} */
let shown = null;

/** @param {HTMLElement | null} submitter */
const walletOf = submitter =>
  submitter instanceof HTMLButtonElement && submitter.name === 'wallet' ? submitter.value : '';

/** Errors of an earlier attempt were about the card, so they no longer apply. @param {HTMLInputElement} input */
function ignore(input) {
  delete input.dataset.says;
  input.removeAttribute('aria-invalid');
  const place = document.getElementById(`${input.name}_error`);
  if (place) place.textContent = '';
}

/** Ignores the card fields unless the card is selected. @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
function prepareCardFields(form, submitter) {
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
    if (form.dataset.live === 'own') prepareCardFields(form, event.submitter);
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

/** Switches to another method with one tap after a decline. @param {Event} event */
function switchMethod(event) {
  const other = document.querySelector('#ways [name=method]:not(:checked)');
  if (!(other instanceof HTMLInputElement)) return;
  event.preventDefault();
  other.checked = true;
  other.focus();
}

document.addEventListener('click', event => {
  if (event.target instanceof Element && event.target.id === 'elsewhere') return switchMethod(event);
  const link = event.target instanceof Element ? event.target.closest('#continue') : null;
  if (!(link instanceof HTMLElement) || !document.getElementById('provider')) return;
  event.preventDefault();
  void continueWithProvider(link);
});

function startLive() {
  const main = document.querySelector('main');
  if (main === shown) return;
  shown = main;
  for (const way of document.querySelectorAll('[name=method]')) way.addEventListener('change', chooseCard);
  void mountProvider();
}

// The page's script replaces the content of the body.
new MutationObserver(startLive).observe(document.body, { childList: true });
startLive();
