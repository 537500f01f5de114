// @ts-check
import { brandOf, fieldProblem } from './field-rules.js';

/** @param {string} name */
export function field(name) {
  const input = document.getElementById(name);
  return input instanceof HTMLInputElement ? input : null;
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

/** Shows the card's brand beside its number, and where to find the security code. */
export function showBrand() {
  const number = field('card_number');
  const mark = document.getElementById('card_number_brand');
  const hint = document.getElementById('card_cvc_hint');
  if (!number || !mark) return;
  const name = brandOf(number.value)?.name ?? '';
  if (mark.textContent !== name) mark.textContent = name;
  mark.dataset.brand = name;
  const words = name === 'Amex' ? hint?.dataset.amex : hint?.dataset.usual;
  if (hint && words && hint.textContent !== words) hint.textContent = words;
}

/** @param {HTMLFormElement} form */
const inputsOf = form => [...form.querySelectorAll('input')].filter(input => input.dataset.says);

/** @param {HTMLFormElement} form @param {HTMLInputElement} input */
function problemOf(form, input) {
  const values = Object.fromEntries(inputsOf(form).map(({ name, value }) => [name, value]));
  const rules = { now: new Date(), sandbox: form.dataset.sandbox === 'on', optional: !input.required };
  return fieldProblem(input.name, values, rules);
}

/** @param {HTMLInputElement} input @param {string | null} problem */
function showProblem(input, problem) {
  const place = document.getElementById(`${input.name}_error`);
  if (place) place.textContent = problem ? (JSON.parse(input.dataset.says ?? '{}')[problem] ?? '') : '';
  if (problem) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

/** Shows every problem and focuses the first. @param {HTMLFormElement} form */
export function isComplete(form) {
  const wrong = inputsOf(form).filter(input => {
    const problem = problemOf(form, input);
    showProblem(input, problem);
    return problem;
  });
  wrong[0]?.focus();
  return wrong.length === 0;
}

/** Validates a field when it loses focus, and on every key press after an error. @param {HTMLFormElement} form */
export function validateForm(form) {
  form.noValidate = true;
  for (const input of inputsOf(form)) {
    input.addEventListener('blur', () => {
      if (input.value.trim() !== '') showProblem(input, problemOf(form, input));
    });
    input.addEventListener('input', () => {
      if (input.getAttribute('aria-invalid') && !problemOf(form, input)) showProblem(input, null);
    });
  }
  const number = field('card_number');
  if (number) {
    shapeDigits(number, shapeNumber);
    number.addEventListener('input', showBrand);
  }
  const expiry = field('card_expiry');
  if (expiry) shapeDigits(expiry, shapeExpiry);
  showBrand();
}

/** Gives each test card a button that fills in the form. @param {() => void} used */
export function addTestCardButtons(used) {
  /** @type {HTMLElement | null} */
  const list = document.querySelector('[data-use]');
  for (const item of list?.querySelectorAll('li') ?? []) {
    const number = item.querySelector('code')?.textContent ?? '';
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = list?.dataset.use ?? '';
    button.setAttribute('aria-label', `${button.textContent} ${number}`);
    button.addEventListener('click', () => {
      useTestCard(number);
      used();
    });
    item.append(button);
  }
}

/** @param {string} number */
function useTestCard(number) {
  const year = String((new Date().getFullYear() + 3) % 100).padStart(2, '0');
  const cvc = '1234'.slice(0, brandOf(number)?.cvc ?? 3);
  const values = { card_number: number, card_expiry: `12 / ${year}`, card_cvc: cvc };
  for (const [name, value] of Object.entries(values)) {
    const input = field(name);
    if (!input) continue;
    input.value = value;
    showProblem(input, null);
  }
  const postalCode = field('postal_code');
  if (postalCode && !postalCode.value) postalCode.value = '10115';
  if (postalCode) showProblem(postalCode, null);
  showBrand();
  document.querySelector('details')?.removeAttribute('open');
  const email = field('email');
  (email?.value ? document.getElementById('submit') : email)?.focus();
}
