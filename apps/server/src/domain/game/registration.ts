import type { Issue } from '@coinslot/contract';
import { AppError } from '../../kit/app-error.ts';
import { emailIssue, nameIssue } from '../user/field-issues.ts';
import { passwordIssue } from '../user/password.ts';
import { parseStoreLink, type StoreLink } from './stores/store-link.ts';

export interface RegistrationForm {
  email: string;
  password: string;
  company: string;
  gameUrl: string;
  /** Without it the link's own name is taken, else the company's. */
  gameName?: string | undefined;
  /** Of the user. */
  name?: string | undefined;
  locale?: string | undefined;
  /** For the first company of a production installation. */
  setupCode?: string | undefined;
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

export function readLink(gameUrl: string): { link: StoreLink } | { issue: Issue } {
  const pointer = '/game_url';
  if (gameUrl.trim() === '') {
    return { issue: { pointer, code: 'required', message: 'The store link of a published mobile game is required.' } };
  }
  const parsed = parseStoreLink(gameUrl);
  return 'link' in parsed ? parsed : { issue: { pointer, code: 'store_link', message: parsed.refusal } };
}

export function checkLink(gameUrl: string): StoreLink {
  const read = readLink(gameUrl);
  if ('issue' in read) throw new AppError('validation_failed', { issues: [read.issue] });
  return read.link;
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
    passwordIssue(form.password, { email, name, company, game: gameName }),
    nameIssue(company, '/company'),
    'issue' in read ? read.issue : null,
    gameName === '' ? null : nameIssue(gameName, '/game_name'),
    name === '' ? null : nameIssue(name, '/name'),
  ].filter(issue => issue !== null);
  if (issues.length > 0 || 'issue' in read) return { issues };
  const storeLink = read.link;
  const { password, locale = null } = form;
  const shown = gameName || (storeLink.gameName ?? company);
  return { registration: { email, password, company, gameName: shown, storeLink, name, locale } };
}
