import type { Issue } from '@coinslot/contract';
import { isEmail, LONGEST_EMAIL } from '../../kit/email.ts';

const LONGEST_NAME = 255;

export function emailIssue(email: string): Issue | null {
  const pointer = '/email';
  if (email === '') return { pointer, code: 'required', message: 'An e-mail address is required.' };
  if (email.length > LONGEST_EMAIL) {
    return { pointer, code: 'too_long', message: `Must have at most ${LONGEST_EMAIL} characters.` };
  }
  if (isEmail(email)) return null;
  return { pointer, code: 'format_email', message: 'Must be an e-mail address such as you@example.com.' };
}

/** Embeddings, overrides and isolates: others would read a name that is not there. Marks of right-to-left scripts are fine. */
const TURNS_TEXT = /[\u202A-\u202E\u2066-\u2069]/;

/** Names stand in mail headers and terminals, so they are one line of plain text. */
export function nameIssue(name: string, pointer: string): Issue | null {
  if (name === '') return { pointer, code: 'required', message: 'A name is required.' };
  if (Array.from(name).length > LONGEST_NAME) {
    return { pointer, code: 'too_long', message: `Must have at most ${LONGEST_NAME} characters.` };
  }
  if (name.includes('\0')) return { pointer, code: 'nul', message: 'Must not hold a NUL character.' };
  if (/[\r\n\u2028\u2029]/.test(name)) return { pointer, code: 'line_break', message: 'Must be one line.' };
  if (/[\p{Cc}\p{Cs}]/u.test(name)) return { pointer, code: 'pattern', message: 'Must not hold control characters.' };
  if (TURNS_TEXT.test(name))
    return { pointer, code: 'pattern', message: 'Must not hold characters that turn the direction of text.' };
  return null;
}
