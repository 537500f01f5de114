import type { FieldError, FieldErrors } from '@coinslot/checkout-page';
import { type CardProblem, readCard } from '../../domain/payment/providers/base/card.ts';
import type { CardDetails } from '../../domain/payment/providers/base/gateway.ts';
import { isEmail } from '../../kit/email.ts';

/** Longer than any honest value, so that nothing huge is checked or shown again. */
const TEXT_LONGEST = 300;

type Kept = Partial<Record<'card_expiry' | 'postal_code', string>>;

export type PayForm = { email: string; card: CardDetails } | { email: string; fieldErrors: FieldErrors; kept: Kept };
export type ClaimForm = { email: string | null } | { email: string; fieldErrors: FieldErrors };

/** A card's expiry and postal code need not be typed again. Its number and code must be: they never enter an answer. */
export function keptOf(body: unknown): Kept {
  const given = {
    card_expiry: formText(body, 'card_expiry').slice(0, 9),
    postal_code: formText(body, 'postal_code').slice(0, 16),
  };
  // A number typed into the wrong field must not come back either.
  const isHarmless = (text: string): boolean => text !== '' && text.replace(/\D/g, '').length < 9;
  return Object.fromEntries(Object.entries(given).filter(([, text]) => isHarmless(text)));
}

/** Only what may be kept goes back to the page. */
export function readPayForm(body: unknown, now: Date, sandbox = false): PayForm {
  const email = formText(body, 'email').trim();
  const read = readCard(
    {
      number: formText(body, 'card_number'),
      expiry: formText(body, 'card_expiry'),
      cvc: formText(body, 'card_cvc'),
      postalCode: formText(body, 'postal_code'),
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
  return { email, fieldErrors, kept: keptOf(body) };
}

/** A free order needs no address. One that is given must be one, or the receipt is lost. */
export function readClaimForm(body: unknown): ClaimForm {
  const email = formText(body, 'email').trim();
  if (email === '') return { email: null };
  const error = checkEmail(email);
  return error ? { email, fieldErrors: { email: error } } : { email };
}

export function formText(body: unknown, field: string): string {
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
