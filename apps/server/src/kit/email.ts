import { domainToASCII } from 'node:url';

export const LONGEST_EMAIL = 254;
const LONGEST_LOCAL = 64;

// The pragmatic part of RFC 5321: no quotes and no comments, so that it can stand in any mail header as it is.
const EMAIL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?<domain>[^@]+)$/u;
const DOMAIN_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;

const PLAIN_EMAIL =
  /^[\w+-]+(?:\.[\w+-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Accepts one mailbox that can go into a header and an envelope unchanged. Letters of every script are allowed. */
export function isEmail(text: string): boolean {
  if (text.length > LONGEST_EMAIL) return false;
  // Nearly all addresses are plain, and classes of Unicode letters are slow.
  if (PLAIN_EMAIL.test(text)) return text.indexOf('@') <= LONGEST_LOCAL;
  const domain = EMAIL.exec(text)?.groups?.domain;
  if (domain === undefined || text.indexOf('@') > LONGEST_LOCAL) return false;
  const labels = domain.split('.');
  return labels.length > 1 && labels.every(label => DOMAIN_LABEL.test(label));
}

/**
 * Brings an address into the form by which it is looked up, compared and counted: NFKC, without case, the domain as in DNS.
 * Upper case comes first because some letters have several small forms. Mails go to the address as it was written.
 */
export function emailKey(email: string): string {
  const folded = email.trim().normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
  const at = folded.lastIndexOf('@');
  if (at < 0) return folded;
  return folded.slice(0, at + 1) + (domainToASCII(folded.slice(at + 1)) || folded.slice(at + 1));
}

export const sameEmail = (one: string, other: string): boolean => emailKey(one) === emailKey(other);
