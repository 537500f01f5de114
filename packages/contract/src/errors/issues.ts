/** What can be wrong with one field; the codes in `errors[]` of a `validation_failed`. */
export const ISSUES = {
  required: 'The field is missing.',
  type: 'The value has the wrong JSON type.',
  too_short: 'The text is too short.',
  too_long: 'The text is too long.',
  too_small: 'The number is below the minimum.',
  too_big: 'The number is above the maximum.',
  too_few: 'The list has too few entries.',
  too_many: 'The list or object has too many entries.',
  enum: 'The value is not one of the allowed values.',
  one_of: 'Exactly one of several fields must be given.',
  line_break: 'The text must be a single line.',
  carriage_return: 'The text can have line feeds, but not carriage returns.',
  nul: 'The text contains a NUL character.',
  pattern: 'The text does not match the required format.',
  format_email: 'Not a valid email address.',
  format_web_url: 'Not an absolute http or https URL.',
  format_return_url: 'Not a deep link or https URL that a browser can safely open.',
  format_country: 'Not an ISO 3166-1 alpha-2 country code.',
  format_currency: 'Not an ISO 4217 currency code.',
  format_day: 'Not a day of the calendar.',
  format_locale: 'Not a BCP 47 language tag.',
  number_not_exact: 'The number cannot be represented exactly.',
  too_many_decimals: 'The amount has more decimals than its currency.',
  currency_required: 'A price needs a currency.',
  currency_mixed: 'All prices in an order must have the same currency.',
  total_too_big: 'The total is above the maximum amount.',
  time_past: 'The time is in the past.',
  time_too_late: 'The time is too far in the future.',
  time_order: 'The end is not after the start.',
  url_refused: 'The service does not send webhooks to this address.',
  cursor: 'The cursor is not from this list.',
  store_link: 'Not a link to an app in a supported store.',
  password_weak: 'The password is too easy to guess. Add another word or two.',
  password_common:
    'This is a common password or close to one. Digits and capital letters do not help; use several uncommon words.',
  password_pattern: 'Neighboring keys and letters or digits in order are easy to guess. Use several uncommon words.',
  password_repeated: 'The same characters or words repeated are easy to guess. Use several different words.',
  password_date: 'Dates and years are easy to guess. Use several uncommon words.',
  password_personal:
    'Your email address and the names of you, your company and your game are easy to guess. Use other words.',
  picture: 'Not a picture that can be taken: PNG, square, within the limits.',
  cannot_be_switched_off: 'This payment method is always on.',
  setup_code: 'The set-up code is not the one that the program printed when it started.',
} as const;
export type IssueCode = keyof typeof ISSUES;

export interface Issue {
  /** JSON Pointer to the field of the body; for a query parameter or header `/` and its name. */
  pointer: string;
  code: IssueCode;
  message: string;
}
