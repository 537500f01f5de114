import type { CardDetails } from './gateway.ts';

/** A brand, how its numbers begin, how long they are and how long its CVV is. First match wins. */
const BRANDS = [
  { brand: 'visa', name: 'Visa', starts: /^4/, lengths: [13, 16, 19], cvcDigits: 3 },
  {
    brand: 'mastercard',
    name: 'Mastercard',
    starts: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    cvcDigits: 3,
  },
  { brand: 'amex', name: 'American Express', starts: /^3[47]/, lengths: [15], cvcDigits: 4 },
  { brand: 'discover', name: 'Discover', starts: /^(?:6011|64[4-9]|65)/, lengths: [16, 17, 18, 19], cvcDigits: 3 },
  { brand: 'jcb', name: 'JCB', starts: /^35(?:2[89]|[3-8])/, lengths: [16, 17, 18, 19], cvcDigits: 3 },
  { brand: 'diners', name: 'Diners Club', starts: /^3(?:0[0-5]|095|[689])/, lengths: [14, 16, 19], cvcDigits: 3 },
  { brand: 'unionpay', name: 'UnionPay', starts: /^62/, lengths: [16, 17, 18, 19], cvcDigits: 3 },
] as const;

export type CardBrand = (typeof BRANDS)[number]['brand'];

export type CardField = 'number' | 'expiry' | 'cvc' | 'postal_code';

export type CardProblemCode =
  | 'missing'
  | 'not_digits'
  | 'wrong_length'
  | 'check_digit'
  | 'not_a_month'
  | 'in_the_past'
  | 'too_far_ahead'
  | 'too_long';

export interface CardProblem {
  field: CardField;
  code: CardProblemCode;
}

/** What the form sends: text, as typed. */
export interface CardForm {
  number: string;
  expiry: string;
  cvc: string;
  postalCode: string;
}

const SHORTEST = 12;
const LONGEST = 19;
/** "Any future expiry date" is taken, 12 / 99 too. A year beyond that is a typing error. */
const YEARS_AHEAD = 100;
const POSTAL_CODE_LONGEST = 16;

export const digitsOf = (text: string): string => text.replace(/[\s-]/g, '');

const ruleOf = (digits: string) => BRANDS.find(({ starts }) => starts.test(digits));

export const brandOf = (number: string): CardBrand | null => ruleOf(digitsOf(number))?.brand ?? null;

export const brandName = (brand: string): string => BRANDS.find(rule => rule.brand === brand)?.name ?? brand;

export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const problem = (field: CardField, code: CardProblemCode): CardProblem => ({ field, code });

function checkNumber(number: string): CardProblem | null {
  const digits = digitsOf(number);
  if (digits === '') return problem('number', 'missing');
  if (!/^\d+$/.test(digits)) return problem('number', 'not_digits');
  const lengths: readonly number[] | undefined = ruleOf(digits)?.lengths;
  const fits = lengths ? lengths.includes(digits.length) : digits.length >= SHORTEST && digits.length <= LONGEST;
  if (!fits) return problem('number', 'wrong_length');
  if (!passesLuhn(digits)) return problem('number', 'check_digit');
  return null;
}

function checkExpiry({ expiryMonth, expiryYear }: CardDetails, now: Date): CardProblem | null {
  if (!Number.isInteger(expiryMonth) || !Number.isInteger(expiryYear) || expiryMonth < 1 || expiryMonth > 12) {
    return problem('expiry', 'not_a_month');
  }
  const months = (expiryYear - now.getUTCFullYear()) * 12 + expiryMonth - 1 - now.getUTCMonth();
  if (months < 0) return problem('expiry', 'in_the_past');
  if (months > YEARS_AHEAD * 12) return problem('expiry', 'too_far_ahead');
  return null;
}

function checkCvc({ cvc, number }: CardDetails): CardProblem | null {
  if (cvc === '') return problem('cvc', 'missing');
  if (!/^\d+$/.test(cvc)) return problem('cvc', 'not_digits');
  const digits = ruleOf(digitsOf(number))?.cvcDigits;
  const fits = digits === undefined ? cvc.length === 3 || cvc.length === 4 : cvc.length === digits;
  return fits ? null : problem('cvc', 'wrong_length');
}

function checkPostalCode({ postalCode }: CardDetails): CardProblem | null {
  if (postalCode.trim() === '') return problem('postal_code', 'missing');
  return postalCode.length > POSTAL_CODE_LONGEST ? problem('postal_code', 'too_long') : null;
}

/** All problems at once, one for each field at most. A card is good to the end of its month. */
export const checkCard = (card: CardDetails, now: Date): CardProblem[] =>
  [checkNumber(card.number), checkExpiry(card, now), checkCvc(card), checkPostalCode(card)].filter(it => it !== null);

const EXPIRY = /^(\d{1,2})\s*(?:[/.-]\s*)?(\d{4}|\d{2})$/;

/** `04 / 27`, `4/2027`, `0427`. Two digits of a year belong to this century. */
export function readExpiry(text: string): Pick<CardDetails, 'expiryMonth' | 'expiryYear'> | null {
  const match = EXPIRY.exec(text.trim());
  if (!match) return null;
  const year = Number(match[2]);
  return { expiryMonth: Number(match[1]), expiryYear: year < 100 ? 2000 + year : year };
}

const MISSING_EXPIRY = problem('expiry', 'missing');

/** `leaveToProvider`: problems that are not the form's to find, because the provider has its own answer to them. */
export function readCard(
  form: CardForm,
  now: Date,
  leaveToProvider: readonly CardProblemCode[] = [],
): { card: CardDetails } | { problems: CardProblem[] } {
  const card = {
    number: digitsOf(form.number),
    cvc: form.cvc.trim(),
    postalCode: form.postalCode.trim(),
    ...(readExpiry(form.expiry) ?? { expiryMonth: Number.NaN, expiryYear: Number.NaN }),
  };
  const isExpiryEmpty = form.expiry.trim() === '';
  const problems = checkCard(card, now)
    .filter(it => !leaveToProvider.includes(it.code))
    .map(it => (it.field === 'expiry' && isExpiryEmpty ? MISSING_EXPIRY : it));
  return problems.length > 0 ? { problems } : { card };
}
