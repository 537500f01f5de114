import type { FieldError, FieldErrors } from '@coinslot/checkout-page';
import { type CardProblem, readCard } from '../../domain/payment/gateways/card.ts';
import type { CardDetails } from '../../domain/payment/gateways/gateway.ts';
import { isEmail } from '../../kit/email.ts';

/** Longer than any honest value, so that nothing huge is checked or shown again. */
const TEXT_LONGEST = 300;

export type PayForm = { email: string; card: CardDetails } | { email: string; fieldErrors: FieldErrors };
export type ClaimForm = { email: string | null } | { email: string; fieldErrors: FieldErrors };

/** Only the e-mail goes back to the page. Card fields are typed again: they never enter an answer. */
export function readPayForm(body: unknown, now: Date, sandbox = false): PayForm {
  const email = textOf(body, 'email').trim();
  const read = readCard(
    {
      number: textOf(body, 'card_number'),
      expiry: textOf(body, 'card_expiry'),
      cvc: textOf(body, 'card_cvc'),
      postalCode: textOf(body, 'postal_code'),
    },
    now,
    // Sandbox answers any number that is no test card with a decline that says so, mistyped ones too.
    sandbox ? ['check_digit'] : [],
  );
  const fieldErrors: FieldErrors = {};
  const emailError = checkEmail(email);
  if (emailError) fieldErrors.email = emailError;
  if ('problems' in read) for (const problem of read.problems) Object.assign(fieldErrors, fieldError(problem));
  if ('card' in read && !emailError) return { email, card: read.card };
  return { email, fieldErrors };
}

/** A free order needs no address. One that is given must be one, or the receipt is lost. */
export function readClaimForm(body: unknown): ClaimForm {
  const email = textOf(body, 'email').trim();
  if (email === '') return { email: null };
  const error = checkEmail(email);
  return error ? { email, fieldErrors: { email: error } } : { email };
}

export function textOf(body: unknown, field: string): string {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, field)) return '';
  const value = (body as Record<string, unknown>)[field];
  return typeof value === 'string' ? value.slice(0, TEXT_LONGEST).replaceAll('\0', '') : '';
}

export function checkEmail(email: string): FieldError | null {
  if (email === '') return 'email_required';
  return isEmail(email) ? null : 'email_invalid';
}

function fieldError({ field, code }: CardProblem): FieldErrors {
  const missing = code === 'missing';
  switch (field) {
    case 'number':
      return { card_number: missing ? 'card_number_required' : 'card_number_invalid' };
    case 'expiry':
      if (code === 'in_the_past') return { card_expiry: 'card_expiry_past' };
      return { card_expiry: missing ? 'card_expiry_required' : 'card_expiry_invalid' };
    case 'cvc':
      return { card_cvc: missing ? 'card_cvc_required' : 'card_cvc_invalid' };
    case 'postal_code':
      return { postal_code: missing ? 'postal_code_required' : 'postal_code_invalid' };
    default:
      throw field satisfies never;
  }
}
