import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

let known: ReadonlySet<string> | undefined;

/**
 * The 49,000 most used of leaked passwords. Only the list: the estimator that it is made for takes seconds for a long text. Read when
 * the first password is chosen, because most starts never see one.
 */
function listed(): ReadonlySet<string> {
  if (known) return known;
  const { dictionary } = require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');
  known = new Set(dictionary['passwords-common']);
  return known;
}

/** What this trade adds to the list. */
const WORDS: ReadonlySet<string> = new Set(
  `passwort contraseña motdepasse senha haslo parola wachtwoord passphrase geheim willkommen bienvenue bienvenido changeme
   changemenow letmeinnow gamedev gamedeveloper gamestudio studio indiegame unity unreal godot developer coinslot checkout payment payments
   stripe paypal default temporary trustnoi trustnoone correcthorsebatterystaple opensesame mypassword mypass newpassword
   oldpassword thepassword nopassword yourpassword temp`.split(/\s+/),
);

const isKnown = (word: string): boolean => listed().has(word) || WORDS.has(word);

/** So many characters before or behind do not make a listed password another one. */
const EXTRA_CHARS = 3;
const SHORTEST_LISTED = 6;

/** Such as 123456789a. */
function isListedWithExtras(text: string): boolean {
  for (let before = 0; before <= EXTRA_CHARS; before++) {
    for (let after = 0; before + after <= EXTRA_CHARS; after++) {
      const core = text.slice(before, text.length - after);
      if (core.length >= SHORTEST_LISTED && listed().has(core)) return true;
    }
  }
  return false;
}

/** Along the rows and columns of keyboards, and plain counting. */
const WALKS = [
  '01234567890',
  '12345678910',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '!@#$%^&*()',
];
const BOTH_WAYS = WALKS.flatMap(walk => [walk, Array.from(walk).toReversed().join('')]);

const SIGNS: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '1': 'i',
  '!': 'i',
};
const SHORTEST_RUN = 3;
/** As many digits and signs around a word as people add without thinking. */
const DECORATION_CHARS = 8;

/** How far a walk goes on from here. */
function runAt(text: string, start: number): number {
  let longest = 1;
  while (start + longest < text.length && text[start + longest] === text[start]) longest++;
  for (const walk of BOTH_WAYS) {
    for (let from = walk.indexOf(text[start]!); from >= 0; from = walk.indexOf(text[start]!, from + 1)) {
      let length = 1;
      while (start + length < text.length && text[start + length] === walk[from + length]) length++;
      longest = Math.max(longest, length);
    }
  }
  return longest;
}

function isWalk(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    const run = runAt(text, at);
    if (run < SHORTEST_RUN) return false;
    at += run;
  }
  return true;
}

const unsign = (text: string): string => Array.from(text, char => SIGNS[char] ?? char).join('');

const isTwice = (text: string): boolean => /^(.+)\1+$/u.test(text);

function isWord(letters: string): boolean {
  if (isKnown(letters)) return true;
  if (isTwice(letters)) return isWord(/^(.+?)\1+$/u.exec(letters)![1]!);
  // Two words beside each other, such as adminpassword.
  for (let at = 3; at <= letters.length - 3; at++) {
    if (isKnown(letters.slice(0, at)) && isKnown(letters.slice(at))) return true;
  }
  return false;
}

/** Without what people put before and behind a word. */
function stem(text: string): string {
  const [, before = '', middle = '', after = ''] = /^([^\p{L}]*)(.*?)([^\p{L}]*)$/u.exec(text) ?? [];
  return before.length + after.length <= DECORATION_CHARS ? middle : text;
}

/** Of a password in lower case. */
export function isGuessable(lowered: string): boolean {
  const plain = lowered.replaceAll(/[\s._-]/g, '');
  const letters = [stem(plain), unsign(stem(plain)), stem(unsign(plain))];
  return isWalk(plain) || isListedWithExtras(plain) || letters.some(isWord) || isWord(stem(plain).replace(/\d+$/, ''));
}
