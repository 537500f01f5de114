import type { Issue } from '@coinslot/contract';
import { isEmail } from '../../http/formats.ts';
import { passwordIssue } from './password.ts';
import { parseStoreLink, type StoreLink } from './store-link.ts';

export interface RegistrationForm {
  email: string;
  password: string;
  company: string;
  gameUrl: string;
  /** Without it the link's own name, or the app id, is taken. */
  gameName?: string | undefined;
  /** Of the user. */
  name?: string | undefined;
  locale?: string | undefined;
}

export interface Registration {
  name: string;
  locale: string | null;
  email: string;
  password: string;
  company: string;
  gameName: string;
  storeLink: StoreLink;
}

const LONGEST_EMAIL = 254;
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

/** Names stand in mail headers and terminals, so they are one line of plain text. */
export function nameIssue(name: string, pointer: string): Issue | null {
  if (name === '') return { pointer, code: 'required', message: 'A name is required.' };
  if (Array.from(name).length > LONGEST_NAME) {
    return { pointer, code: 'too_long', message: `Must have at most ${LONGEST_NAME} characters.` };
  }
  if (name.includes('\0')) return { pointer, code: 'nul', message: 'Must not hold a NUL character.' };
  if (/[\r\n\u2028\u2029]/.test(name)) return { pointer, code: 'line_break', message: 'Must be one line.' };
  if (/[\p{Cc}\p{Cs}]/u.test(name)) return { pointer, code: 'pattern', message: 'Must not hold control characters.' };
  return null;
}

export function readLink(gameUrl: string): { link: StoreLink } | { issue: Issue } {
  const pointer = '/game_url';
  if (gameUrl.trim() === '') {
    return { issue: { pointer, code: 'required', message: 'The store link of a published mobile game is required.' } };
  }
  const parsed = parseStoreLink(gameUrl);
  return 'link' in parsed ? parsed : { issue: { pointer, code: 'store_link', message: parsed.refusal } };
}

/** What is registered, or everything that is wrong with the form at once. */
export function checkRegistration(form: RegistrationForm): { registration: Registration } | { issues: Issue[] } {
  const email = form.email.trim();
  const company = form.company.trim();
  const gameName = form.gameName?.trim() ?? '';
  const name = form.name?.trim() ?? '';
  const read = readLink(form.gameUrl);
  const issues = [
    emailIssue(email),
    passwordIssue(form.password, { email, company }),
    nameIssue(company, '/company'),
    'issue' in read ? read.issue : null,
    gameName === '' ? null : nameIssue(gameName, '/game_name'),
    name === '' ? null : nameIssue(name, '/name'),
  ].filter(issue => issue !== null);
  if (issues.length > 0 || 'issue' in read) return { issues };
  const storeLink = read.link;
  const { password, locale = null } = form;
  return {
    registration: { email, password, company, gameName: gameName || storeLink.gameName, storeLink, name, locale },
  };
}
