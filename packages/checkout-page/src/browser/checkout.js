// @ts-check
// Improves the page with script. Without it forms still post, and waiting pages reload.
import { addTestCardButtons, field, isComplete, showBrand, validateForm } from './card-form.js';

/** Stops everything that the current page has running once it is replaced. */
let pageLifetime = new AbortController();
let version = 0;
let sent = false;
let chosen = false;
/** Identifies what is typed into this form, so that sending it twice is one attempt. */
let attempt = '';
/**
 * Fields that the form fills in again after a decline. A card's number and security code are never among them.
 * @type {Record<string, string>}
 */
const kept = {};

export const facts = () => document.body.dataset;

/** @param {number} ms */
function pause(ms) {
  return new Promise(resolve => setTimeout(resolve, ms));
}

/** @returns {Promise<void>} */
function untilVisible() {
  if (document.visibilityState === 'visible') return Promise.resolve();
  return new Promise(resolve => document.addEventListener('visibilitychange', () => resolve(), { once: true }));
}

/** Counts page events for the metrics. @param {'method_chosen' | 'left'} event */
function count(event) {
  if (facts().base && facts().state !== 'unavailable') navigator.sendBeacon?.(`${facts().base}/events`, event);
}

/**
 * Replaces this page with its newest version. `location.reload()` would post the form again if the page answered a
 * post.
 */
export const refreshPage = async () => show(await fetch(facts().address ?? '', { cache: 'no-store' }));

/**
 * A page with other scripts has to be loaded in full, because this page's Content-Security-Policy would not run them.
 * @param {Document} next
 */
function hasNewScript(next) {
  const here = new Set([...document.scripts].map(({ text }) => text));
  return [...next.scripts].some(({ text }) => !here.has(text));
}

/** @param {Response} answer */
async function show(answer) {
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const [old, main] = [document.querySelector('main'), next.querySelector('main')];
  if (!old || !main || !next.body.dataset.state) throw new Error('no page');
  if (hasNewScript(next)) return location.replace(next.body.dataset.address ?? '');
  pageLifetime.abort();
  pageLifetime = new AbortController();
  const wasReady = facts().state === 'ready';
  const said = old.querySelector('h1')?.textContent;
  document.title = next.title;
  const isSameLanguage = document.documentElement.lang === next.documentElement.lang;
  document.documentElement.lang = next.documentElement.lang;
  document.documentElement.dir = next.documentElement.dir;
  for (const name of Object.keys(facts())) delete facts()[name];
  Object.assign(facts(), next.body.dataset);
  if (wasReady && isSameLanguage && facts().state === 'ready' && isDeclineShown(old, main)) return resume();
  old.replaceWith(main);
  startPage();
  if (main.querySelector('h1')?.textContent !== said) announce(main);
}

/**
 * After a decline the form stays, so that the card's number never leaves its field. Only the security code is asked for again.
 * @param {HTMLElement} old
 * @param {HTMLElement} main
 */
function isDeclineShown(old, main) {
  const problem = main.querySelector('.problem[data-go]');
  const used = old.querySelector('.working')?.closest('[data-live]');
  const place = used ?? old.querySelector(problem?.closest('form') ? '.pay form' : '.pay');
  const saved = '[name=saved]';
  if (!problem || !place || old.querySelectorAll(saved).length !== main.querySelectorAll(saved).length) return false;
  old.querySelector('.problem')?.remove();
  place.prepend(problem);
  old.querySelector('.more')?.setAttribute('open', '');
  const code = field('card_cvc');
  if (code) code.value = '';
  for (const form of document.forms) setBusy(form, false);
  return true;
}

/** Focuses the heading, so that screen readers read it and then the text below. @param {HTMLElement} main */
function announce(main) {
  const heading = main.querySelector('h1');
  if (heading) heading.tabIndex = -1;
  heading?.focus();
  const words = [...main.querySelectorAll('.outcome .text')].map(({ textContent }) => textContent).join(' ');
  const region = document.getElementById('news');
  if (region) region.textContent = words;
}

/** @param {{ version: number, state: string }} status */
function isOutdatedBy(status) {
  // A form in use is replaced only if it is outdated, never while the player types.
  const typing = facts().state === 'ready' || facts().state === 'claim';
  // A receipt is another page of the same order.
  const isOther = status.state !== facts().state && facts().state !== 'receipt';
  return isOther || (status.version !== version && !typing);
}

async function follow() {
  const { signal } = pageLifetime;
  let failures = 0;
  while (!signal.aborted) {
    await untilVisible();
    const askedAt = Date.now();
    try {
      const answer = await fetch(`${facts().base}/status?version=${version}`, { cache: 'no-store', signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const status = await answer.json();
      if (isOutdatedBy(status)) await refreshPage();
      else version = status.version;
      failures = 0;
    } catch {
      failures += 1;
    }
    if (failures > 0) await pause(Math.min(500 * 2 ** failures, 15_000));
    else if (Date.now() - askedAt < 1000) await pause(1500);
  }
}

/** Refreshes the page when time alone changes it: the order expires, or the game takes long. */
function scheduleRefresh() {
  const seconds = Number(facts().renew);
  if (!seconds) return;
  const { signal } = pageLifetime;
  const place = document.getElementById('time_left');
  const end = Date.now() + seconds * 1000;
  const timer = setInterval(() => {
    const left = Math.ceil((end - Date.now()) / 1000);
    if (signal.aborted || sent) return clearInterval(timer);
    if (place) place.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    if (left > 0) return;
    clearInterval(timer);
    refreshPage().catch(() => {});
  }, 1000);
}

/** True once per tab, so that going back returns to this page instead of opening the game again. */
function isFirstVisit() {
  try {
    const key = `opened:${facts().base}`;
    if (sessionStorage.getItem(key)) return false;
    sessionStorage.setItem(key, '1');
  } catch {
    // If storage is blocked, the link opens each time.
  }
  return true;
}

/**
 * Says above the form's button why the form was not sent.
 * @param {HTMLFormElement} form
 * @param {string} words
 */
function showUnsent(form, words) {
  document.getElementById('unsent')?.remove();
  if (!words) return;
  const place = Object.assign(document.createElement('p'), { id: 'unsent', className: 'error' });
  place.setAttribute('role', 'alert');
  mainButton(form)?.before(place);
  place.textContent = words;
}

/** @param {HTMLFormElement} form @returns {HTMLButtonElement | null} */
const mainButton = form => form.querySelector('#submit') ?? form.querySelector('button');

/** @param {HTMLFormElement} form @param {boolean} on */
function setBusy(form, on) {
  for (const button of document.querySelectorAll('button')) button.disabled = on;
  const button = mainButton(form);
  if (!button?.dataset.working) return;
  button.dataset.idle ??= button.innerHTML;
  if (on) button.textContent = button.dataset.working;
  else button.innerHTML = button.dataset.idle;
  button.classList.toggle('working', on);
}

export const attemptKey = () => attempt;

/** Finds out what became of a post that got no answer. If the order has changed, shows it; otherwise the form stays. */
export async function isStillOpen() {
  try {
    const answer = await fetch(`${facts().base}/status?version=-1`, { cache: 'no-store' });
    const status = await answer.json();
    if (status.state === facts().state && status.version === version) return true;
    await refreshPage();
    return false;
  } catch {
    return true;
  }
}

/**
 * Posts without leaving the page, so that the player keeps what they typed if the server is away for a moment.
 * @param {HTMLFormElement} form
 * @param {SubmitEvent} event
 */
async function send(form, event) {
  event.preventDefault();
  showUnsent(form, '');
  if (sent || !isComplete(form)) return;
  if (!navigator.onLine) return showUnsent(form, facts().offline ?? '');
  sent = true;
  pageLifetime.abort();
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, event.submitter)));
  body.set('attempt', attempt);
  for (const name of ['card_expiry', 'postal_code']) kept[name] = body.get(name) ?? '';
  setBusy(form, true);
  const late = new AbortController();
  setTimeout(() => late.abort(), 20_000);
  try {
    const answer = await fetch(form.action, { method: 'POST', body, signal: late.signal });
    // 422 is the form with fields to correct. Any higher status means that the server was busy or away.
    if (answer.status > 422) throw new Error();
    await show(answer);
  } catch {
    if (!(await isStillOpen())) return;
    sent = false;
    setBusy(form, false);
    showUnsent(form, facts().unreachable ?? '');
    pageLifetime = new AbortController();
    if (facts().watch) void follow();
  }
}

/** @param {HTMLSelectElement} select */
async function changeLanguage(select) {
  const typed = [...document.querySelectorAll('input')].map(({ id, value }) => ({ id, value }));
  facts().address = `${(facts().address ?? '').split('?')[0]}?lang=${select.value}`;
  history.replaceState(null, '', facts().address);
  try {
    await refreshPage();
  } catch {
    return select.form?.submit();
  }
  for (const { id, value } of typed) {
    const input = field(id);
    if (input) input.value = value;
  }
  showBrand();
  document.getElementById('language')?.focus();
}

function setUpForms() {
  const language = document.getElementById('language');
  for (const form of document.forms) {
    // `form.method` would be the field of that name, the choice of payment methods.
    if (form.getAttribute('method') !== 'post') continue;
    validateForm(form);
    form.addEventListener('submit', event => void send(form, event));
  }
  if (language instanceof HTMLSelectElement) {
    language.addEventListener('change', () => void changeLanguage(language));
    language.form?.querySelector('button')?.remove();
  }
  for (const button of document.querySelectorAll('button')) button.disabled = false;
  addTestCardButtons(chooseCard);
  field('card_number')?.addEventListener('focus', chooseCard);
}

export function chooseCard() {
  if (!chosen) count('method_chosen');
  chosen = true;
}

/** Fills in what may be kept after a decline. */
function restore() {
  for (const [name, value] of Object.entries(kept)) {
    const input = field(name);
    if (input && !input.value) input.value = value;
  }
}

function setUpPrinting() {
  const print = document.getElementById('print');
  if (!print) return;
  print.hidden = false;
  print.addEventListener('click', () => globalThis.print());
}

/** A picture that cannot be shown gives way to what stands in its tile. */
function removeBrokenPictures() {
  for (const image of document.querySelectorAll('img')) image.decode().catch(() => image.remove());
}

function startPage() {
  const { state, open: openUrl } = facts();
  setUpForms();
  removeBrokenPictures();
  setUpPrinting();
  if (openUrl && isFirstVisit()) setTimeout(() => location.assign(openUrl), 900);
  if (state === 'ready' || state === 'claim') {
    restore();
    if (matchMedia('(min-width:900px)').matches) document.querySelector('.fold')?.setAttribute('open', '');
  }
  resume();
}

/** Follows the order from the version that is now shown, and leads the player to what went wrong. */
function resume() {
  const { base, address, state, watch } = facts();
  version = Number(facts().version);
  sent = false;
  attempt = crypto.getRandomValues(new Uint32Array(4)).join('-');
  // A reload then requests the page and never posts the form again.
  if (base && address && location.pathname !== base) history.replaceState(null, '', address);
  scheduleRefresh();
  if (watch) void follow();
  if (state !== 'ready' && state !== 'claim') return;
  /** @type {HTMLElement | null} */
  const trouble = document.querySelector('.problem');
  const go = trouble?.dataset.go;
  const goOn = field(go && field(go)?.value ? 'card_cvc' : (go ?? ''));
  /** @type {HTMLElement | null} */
  const wrong = document.querySelector('[aria-invalid=true]');
  // The field is hidden while another method is selected.
  const target = wrong ?? (goOn?.offsetParent ? goOn : trouble);
  target?.focus();
  // If other methods stand between the message and the field, a player at the field would not see the message.
  if (wrong || !target || !trouble || trouble.getBoundingClientRect().top >= 0) return;
  trouble.scrollIntoView();
  if (target.getBoundingClientRect().bottom > innerHeight) trouble.focus();
}

addEventListener('pageshow', event => {
  if (event.persisted) refreshPage().catch(() => location.replace(facts().address ?? ''));
});

addEventListener('pagehide', () => {
  if (facts().watch === 'on' && !sent) count('left');
});

startPage();
