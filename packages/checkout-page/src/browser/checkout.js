// @ts-check
// Improves the page with script. Without it forms still post, and waiting pages reload.
import { field, isComplete, mindForm, mindTestCards, showBrand } from './card-form.js';

/** Aborts what the current page runs when it is replaced. */
let life = new AbortController();
let version = 0;
let sent = false;
let chosen = false;
/** Names what is typed into this form: sent twice, it is one attempt. */
let attempt = '';
/** What the player need not type again after a decline; number and code of a card are not among it. @type {Record<string, string>} */
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

/** Counts page events for the studio's figures. @param {'method_chosen' | 'left'} event */
function count(event) {
  if (facts().base && facts().state !== 'unavailable') navigator.sendBeacon?.(`${facts().base}/events`, event);
}

/** Replaces this page with the newest one. Not reload(), which would post the form again on a page that answers a post. */
export const openAnew = async () => show(await fetch(facts().address ?? '', { cache: 'no-store' }));

/** A live page after one that could not tell, for one: its script would not run here, and this page's policy is not its own. @param {Document} next */
function bringsScript(next) {
  const here = new Set([...document.scripts].map(({ text }) => text));
  return [...next.scripts].some(({ text }) => !here.has(text));
}

/** @param {Response} answer */
async function show(answer) {
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const [old, main] = [document.querySelector('main'), next.querySelector('main')];
  if (!old || !main || !next.body.dataset.state) throw new Error('no page');
  if (bringsScript(next)) return location.replace(next.body.dataset.address ?? '');
  life.abort();
  life = new AbortController();
  const said = old.querySelector('h1')?.textContent;
  document.title = next.title;
  document.documentElement.lang = next.documentElement.lang;
  document.documentElement.dir = next.documentElement.dir;
  for (const name of Object.keys(facts())) delete facts()[name];
  Object.assign(facts(), next.body.dataset);
  old.replaceWith(main);
  begin();
  if (main.querySelector('h1')?.textContent !== said) announce(main);
}

/** Focuses the heading, so that screen readers read it, then the text below. @param {HTMLElement} main */
function announce(main) {
  const heading = main.querySelector('h1');
  if (heading) heading.tabIndex = -1;
  heading?.focus();
  const words = [...main.querySelectorAll('.outcome .text')].map(({ textContent }) => textContent).join(' ');
  const news = document.getElementById('news');
  if (news) news.textContent = words;
}

/** @param {{ version: number, state: string }} news */
function isNews(news) {
  // A form in use is replaced only when it is outdated, never while the player types.
  const typing = facts().state === 'ready' || facts().state === 'claim';
  return news.state !== facts().state || (news.version !== version && !typing);
}

async function follow() {
  const { signal } = life;
  let failures = 0;
  while (!signal.aborted) {
    await untilVisible();
    const askedAt = Date.now();
    try {
      const answer = await fetch(`${facts().base}/status?version=${version}`, { cache: 'no-store', signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const news = await answer.json();
      if (isNews(news)) await openAnew();
      else version = news.version;
      failures = 0;
    } catch {
      failures += 1;
    }
    if (failures > 0) await pause(Math.min(500 * 2 ** failures, 15_000));
    else if (Date.now() - askedAt < 1000) await pause(1500);
  }
}

/** Refreshes for changes by time alone: the order expires, or the game is late. */
function renew() {
  const seconds = Number(facts().renew);
  if (!seconds) return;
  const { signal } = life;
  const place = document.getElementById('time_left');
  const end = Date.now() + seconds * 1000;
  const timer = setInterval(() => {
    const left = Math.ceil((end - Date.now()) / 1000);
    if (signal.aborted || sent) return clearInterval(timer);
    if (place) place.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    if (left > 0) return;
    clearInterval(timer);
    openAnew().catch(() => {});
  }, 1000);
}

/** Once per tab, so that "back" returns to this page instead of opening the game again. */
function firstVisit() {
  try {
    const key = `opened:${facts().base}`;
    if (sessionStorage.getItem(key)) return false;
    sessionStorage.setItem(key, '1');
  } catch {
    // Storage can be blocked. Then the link opens each time.
  }
  return true;
}

/** Says above the form's button why it was not sent. @param {HTMLFormElement} form @param {string} words */
function sayUnsent(form, words) {
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
function workOn(form, on) {
  for (const button of document.querySelectorAll('button')) button.disabled = on;
  const button = mainButton(form);
  if (!button?.dataset.working) return;
  button.dataset.idle ??= button.innerHTML;
  if (on) button.textContent = button.dataset.working;
  else button.innerHTML = button.dataset.idle;
  button.classList.toggle('working', on);
}

export const attemptKey = () => attempt;

/** After a post without an answer: shows what became of it, if anything did, else the form stays. */
export async function isStillOpen() {
  try {
    const answer = await fetch(`${facts().base}/status?version=-1`, { cache: 'no-store' });
    const news = await answer.json();
    if (news.state === facts().state && news.version === version) return true;
    await openAnew();
    return false;
  } catch {
    return true;
  }
}

/** Posts in place, so that a server that is away for a moment costs the player nothing they typed. @param {HTMLFormElement} form @param {SubmitEvent} event */
async function send(form, event) {
  event.preventDefault();
  sayUnsent(form, '');
  if (sent || !isComplete(form)) return;
  if (!navigator.onLine) return sayUnsent(form, facts().offline ?? '');
  sent = true;
  life.abort();
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, event.submitter)));
  body.set('attempt', attempt);
  for (const name of ['card_expiry', 'postal_code']) kept[name] = body.get(name) ?? '';
  workOn(form, true);
  const late = new AbortController();
  setTimeout(() => late.abort(), 20_000);
  try {
    const answer = await fetch(form.action, { method: 'POST', body, signal: late.signal });
    // 422 is the form with what must be corrected; beyond it the server was too busy or away.
    if (answer.status > 422) throw new Error();
    await show(answer);
  } catch {
    if (!(await isStillOpen())) return;
    sent = false;
    workOn(form, false);
    sayUnsent(form, facts().unreachable ?? '');
    life = new AbortController();
    if (facts().watch) void follow();
  }
}

/** @param {HTMLSelectElement} select */
async function changeLanguage(select) {
  const typed = [...document.querySelectorAll('input')].map(({ id, value }) => ({ id, value }));
  facts().address = `${(facts().address ?? '').split('?')[0]}?lang=${select.value}`;
  history.replaceState(null, '', facts().address);
  try {
    await openAnew();
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

function mindForms() {
  const language = document.getElementById('language');
  for (const form of document.forms) {
    // Not `form.method`: a field of that name, the choice of payment methods, would stand in its place.
    if (form.getAttribute('method') !== 'post') continue;
    mindForm(form);
    form.addEventListener('submit', event => void send(form, event));
  }
  if (language instanceof HTMLSelectElement) {
    language.addEventListener('change', () => void changeLanguage(language));
    language.form?.querySelector('button')?.remove();
  }
  for (const button of document.querySelectorAll('button')) button.disabled = false;
  mindTestCards(chooseCard);
  field('card_number')?.addEventListener('focus', chooseCard);
}

export function chooseCard() {
  if (!chosen) count('method_chosen');
  chosen = true;
}

/** After a decline the form comes back with what may be kept. */
function restore() {
  for (const [name, value] of Object.entries(kept)) {
    const input = field(name);
    if (input && !input.value) input.value = value;
  }
}

function mindReceipt() {
  const print = document.getElementById('print');
  if (!print) return;
  print.hidden = false;
  print.addEventListener('click', () => globalThis.print());
}

function begin() {
  const { base, address, state, watch, open: openUrl } = facts();
  version = Number(facts().version);
  sent = false;
  attempt = crypto.getRandomValues(new Uint32Array(4)).join('-');
  // So that a reload requests the page and never posts the form again.
  if (base && address && location.pathname !== base) history.replaceState(null, '', address);
  mindForms();
  renew();
  if (openUrl && firstVisit()) setTimeout(() => location.assign(openUrl), 900);
  if (watch) void follow();
  mindReceipt();
  if (state !== 'ready' && state !== 'claim') return;
  restore();
  if (matchMedia('(min-width:900px)').matches) document.querySelector('.fold')?.setAttribute('open', '');
  /** @type {HTMLElement | null} */
  const trouble = document.querySelector('.problem');
  const goOn = field(trouble?.dataset.go ?? '');
  /** @type {HTMLElement | null} */
  const wrong = document.querySelector('[aria-invalid=true]');
  // Hidden while another method is selected.
  (wrong ?? (goOn?.offsetParent ? goOn : trouble))?.focus();
}

addEventListener('pageshow', event => {
  if (event.persisted) openAnew().catch(() => location.replace(facts().address ?? ''));
});

addEventListener('pagehide', () => {
  if (facts().watch && !sent) count('left');
});

begin();
