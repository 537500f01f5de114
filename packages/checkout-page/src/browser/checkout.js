// @ts-check
// What the page can do better with script. It works without: forms post, waiting pages reload themselves.

const { base = '', state = '', watch, open: openUrl } = document.body.dataset;
const leaving = new AbortController();
const typing = state === 'ready' || state === 'claim';
let version = Number(document.body.dataset.version);

/** Not reload(): that would post the form again where this page is the answer to a post. */
function openAnew() {
  location.replace(base);
}

/** @param {number} ms */
function pause(ms) {
  return new Promise(resolve => setTimeout(resolve, ms));
}

/** @returns {Promise<void>} */
function untilVisible() {
  if (document.visibilityState === 'visible') return Promise.resolve();
  return new Promise(resolve => document.addEventListener('visibilitychange', () => resolve(), { once: true }));
}

/** @param {{ version: number, state: string }} news */
function learn(news) {
  // A form in use is replaced only when it has lost its meaning, never under the fingers.
  if (news.state !== state || (news.version !== version && !typing)) {
    leaving.abort();
    openAnew();
  }
  version = news.version;
}

async function follow() {
  let failures = 0;
  while (!leaving.signal.aborted) {
    await untilVisible();
    const askedAt = performance.now();
    try {
      const answer = await fetch(`${base}/status?version=${version}`, { cache: 'no-store', signal: leaving.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      learn(await answer.json());
      failures = 0;
    } catch {
      failures += 1;
    }
    const quick = performance.now() - askedAt < 1000;
    if (failures > 0) await pause(Math.min(500 * 2 ** failures, 15_000));
    else if (quick) await pause(1500);
  }
}

/** Once for each tab, so that "back" leads to this page and not in a circle. */
function firstVisit() {
  try {
    const key = `opened:${base}`;
    if (sessionStorage.getItem(key)) return false;
    sessionStorage.setItem(key, '1');
  } catch {
    // Storage can be forbidden. Then the link opens each time.
  }
  return true;
}

/** @param {HTMLInputElement} input @param {(digits: string) => string} shape */
function shapeDigits(input, shape) {
  input.addEventListener('input', event => {
    const deleting = event instanceof InputEvent && event.inputType?.startsWith('delete');
    if (deleting || input.selectionStart !== input.value.length) return;
    input.value = shape(input.value.replace(/\D/g, ''));
  });
}

/** @param {string} digits */
function shapeNumber(digits) {
  const groups = /^3[47]/.test(digits) ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/ : /^(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,7})?/;
  const [, ...parts] = groups.exec(digits) ?? [];
  return parts.filter(Boolean).join(' ');
}

/** @param {string} digits */
function shapeExpiry(digits) {
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  return padded.length < 2 ? padded : `${padded.slice(0, 2)} / ${padded.slice(2, 6)}`;
}

/** @param {string} name */
function field(name) {
  const input = document.getElementById(name);
  return input instanceof HTMLInputElement ? input : null;
}

/** @param {string} number */
function useTestCard(number) {
  const year = String((new Date().getFullYear() + 3) % 100).padStart(2, '0');
  const cvc = number.startsWith('3') && number.replace(/\D/g, '').length === 15 ? '1234' : '123';
  const values = { card_number: number, card_expiry: `12 / ${year}`, card_cvc: cvc };
  for (const [name, value] of Object.entries(values)) {
    const input = field(name);
    if (input) input.value = value;
  }
  const postalCode = field('postal_code');
  if (postalCode && !postalCode.value) postalCode.value = '10115';
  document.querySelector('details')?.removeAttribute('open');
  const email = field('email');
  (email?.value ? document.getElementById('submit') : email)?.focus();
}

for (const form of document.forms) {
  form.addEventListener('submit', () => {
    leaving.abort();
    for (const button of document.querySelectorAll('button')) button.disabled = true;
    const button = form.querySelector('button');
    if (button?.dataset.working) button.textContent = button.dataset.working;
  });
}

for (const button of document.querySelectorAll('button')) {
  const number = button.dataset.card;
  if (!number) continue;
  button.hidden = false;
  button.addEventListener('click', () => useTestCard(number));
}

const number = field('card_number');
if (number) shapeDigits(number, shapeNumber);
const expiry = field('card_expiry');
if (expiry) shapeDigits(expiry, shapeExpiry);

/** @type {HTMLElement | null} */
const trouble = document.querySelector('[aria-invalid=true]') ?? document.querySelector('[role=alert]');
trouble?.focus();

addEventListener('pageshow', event => {
  if (event.persisted) openAnew();
});

if (openUrl && firstVisit()) setTimeout(() => location.assign(openUrl), 900);
if (watch) void follow();
