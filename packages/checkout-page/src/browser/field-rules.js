// @ts-check
// Validation rules of the fields. They are never stricter than the server's, which decides.

// Per brand: prefix, lengths, and length of the security code.
const BRANDS = [
  { name: 'Visa', starts: /^4/, lengths: [13, 16, 19], cvc: 3 },
  { name: 'Mastercard', starts: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16], cvc: 3 },
  { name: 'Amex', starts: /^3[47]/, lengths: [15], cvc: 4 },
  { name: 'Discover', starts: /^(?:6011|64[4-9]|65)/, lengths: [16, 17, 18, 19], cvc: 3 },
  { name: 'JCB', starts: /^35(?:2[89]|[3-8])/, lengths: [16, 17, 18, 19], cvc: 3 },
  { name: 'Diners Club', starts: /^3(?:0[0-5]|095|[689])/, lengths: [14, 16, 19], cvc: 3 },
  { name: 'UnionPay', starts: /^62/, lengths: [16, 17, 18, 19], cvc: 3 },
];

/** @param {string} number */
export function brandOf(number) {
  const digits = number.replace(/[\s-]/g, '');
  return BRANDS.find(({ starts }) => starts.test(digits)) ?? null;
}

/** @param {string} digits */
function passesLuhn(digits) {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]) * (i % 2 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** @param {string} number @param {boolean} sandbox */
function isCardNumber(number, sandbox) {
  const digits = number.replace(/[\s-]/g, '');
  const lengths = brandOf(digits)?.lengths ?? [12, 13, 14, 15, 16, 17, 18, 19];
  return /^\d+$/.test(digits) && lengths.includes(digits.length) && (sandbox || passesLuhn(digits));
}

/** @param {string} expiry @param {Date} now */
function expiryProblem(expiry, now) {
  const match = /^(\d{1,2})\s*(?:[/.-]\s*)?(\d{4}|\d{2})$/.exec(expiry.trim());
  const month = Number(match?.[1]);
  if (!match || month < 1 || month > 12) return 'card_expiry_invalid';
  const year = Number(match[2]) + (match[2]?.length === 2 ? 2000 : 0);
  const months = (year - now.getUTCFullYear()) * 12 + month - 1 - now.getUTCMonth();
  if (months < 0) return 'card_expiry_past';
  return months > 1200 ? 'card_expiry_invalid' : null;
}

/** @param {string} cvc @param {string} number */
function isCvc(cvc, number) {
  const digits = brandOf(number)?.cvc;
  return /^\d{3,4}$/.test(cvc) && (digits === undefined || cvc.length === digits);
}

/** The text key of a field's problem, or null. @param {string} field @param {Record<string, string>} values @param {{ now: Date, sandbox: boolean, optional?: boolean }} rules */
export function fieldProblem(field, values, { now, sandbox, optional = false }) {
  const value = (values[field] ?? '').trim();
  if (value === '') return optional ? null : `${field}_required`;
  if (field === 'email')
    return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) && value.length <= 254 ? null : 'email_invalid';
  if (field === 'card_number') return isCardNumber(value, sandbox) ? null : 'card_number_invalid';
  if (field === 'card_expiry') return expiryProblem(value, now);
  if (field === 'card_cvc') return isCvc(value, values.card_number ?? '') ? null : 'card_cvc_invalid';
  return value.length <= 16 ? null : 'postal_code_invalid';
}
