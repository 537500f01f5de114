import { createRequire } from 'node:module';
import type { IssueCode } from '@coinslot/contract';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

const require = createRequire(import.meta.url);

/** What this trade adds to the library's lists. */
const TRADE_PASSWORDS =
  `passwort contraseña motdepasse senha haslo parola wachtwoord passphrase geheim willkommen bienvenue
  bienvenido changemenow letmeinnow gamedev gamedeveloper gamestudio studio indiegame unity unreal godot developer coinslot
  checkout payment payments default temporary trustnoone correcthorsebatterystaple opensesame`.split(/\s+/);

/** The library's work grows faster than the text: this bounds it to about a tenth of a second for the worst. */
const MOST_CHARS = 100;
const MOST_SUBSTITUTIONS = 10;
/** Of 0 to 4. Below it fewer than a hundred million guesses find the password. */
const LOWEST_SCORE = 3;
const SHORTEST_PERSONAL = 3;

let estimator: ZxcvbnFactory | undefined;

/** Loaded when the first password is chosen: it takes 11 MB, and most processes never see one. */
function loadEstimator(): ZxcvbnFactory {
  if (estimator) return estimator;
  const { ZxcvbnFactory: Factory } = require('@zxcvbn-ts/core') as typeof import('@zxcvbn-ts/core');
  const common = require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');
  estimator = new Factory({
    dictionary: { ...common.dictionary, 'passwords-trade': TRADE_PASSWORDS },
    graphs: common.adjacencyGraphs,
    maxLength: MOST_CHARS,
    l33tMaxSubstitutions: MOST_SUBSTITUTIONS,
  });
  return estimator;
}

const withoutSeparators = (text: string): string => text.replaceAll(/[\s._-]/g, '');

/** Each name and address as a whole, without its separators, and word by word; of an address its first part too. */
const personalWords = (known: readonly string[]): string[] =>
  [...new Set(known.flatMap(text => [text, text.split('@')[0]!, ...text.split(/[\s._@-]+/)]))]
    .flatMap(text => [text, withoutSeparators(text)].map(word => word.toLowerCase()))
    .filter(word => word.length >= SHORTEST_PERSONAL);

/** The library's reasons by our sentences. What has no sentence of its own is only said to be weak. */
const REASONS: Readonly<Record<string, IssueCode>> = {
  topTen: 'password_common',
  topHundred: 'password_common',
  common: 'password_common',
  similarToCommon: 'password_common',
  straightRow: 'password_pattern',
  keyPattern: 'password_pattern',
  sequences: 'password_pattern',
  simpleRepeat: 'password_repeated',
  extendedRepeat: 'password_repeated',
  dates: 'password_date',
  recentYears: 'password_date',
  userInputs: 'password_personal',
};

/** Why an attacker who knows these names and addresses guesses a password easily; null where they do not. */
export function weaknessOf(password: string, known: readonly string[]): IssueCode | null {
  const words = personalWords(known);
  const text = password.slice(0, MOST_CHARS);
  // Separators count for more than they are worth: qwerty_123456 is no better than qwerty123456.
  const estimates = [...new Set([text, withoutSeparators(text)])].map(one => loadEstimator().check(one, words));
  const weakest = estimates.reduce((worst, one) => (one.guesses < worst.guesses ? one : worst));
  if (weakest.score >= LOWEST_SCORE) return null;
  return REASONS[weakest.feedback.warning ?? ''] ?? 'password_weak';
}
