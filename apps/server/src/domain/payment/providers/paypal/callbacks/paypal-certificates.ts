import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { AppError } from '../../../../../kit/app-error.ts';
import type { Clock } from '../../../../../kit/clock.ts';
import { parseUrl } from '../../../../../kit/parse-url.ts';
import { createTtlCache } from '../../../../../kit/ttl-cache.ts';

/** Where PayPal keeps its certificates. A callback that names any other place is a forgery. */
const PAYPAL_HOSTS: ReadonlySet<string> = new Set([
  'https://api.paypal.com',
  'https://api-m.paypal.com',
  'https://api.sandbox.paypal.com',
  'https://api-m.sandbox.paypal.com',
]);

const SUBJECT = /(?:^|\n)CN=(?:[\w-]+\.)*paypal\.com(?:\n|$)/;
const MOST_BYTES = 64 * 1024;
const TIMEOUT_MS = 5_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const LONGEST_CHAIN = 5;
/** PayPal has one certificate at a time, and the next one months later. */
const MOST_GOOD = 20;
const LOOKS_A_MINUTE = 300;

export const LATER = 'The callback cannot be verified now. Send it again later.';

export interface CertificateOptions {
  clock: Clock;
  /** Where PayPal answers by the program's settings: vetted by the operator. */
  ownBases: readonly string[];
  /** Roots beside those that Node brings: tests have an authority of their own. */
  extraRoots?: readonly string[];
}

const originOf = (url: string): string | null => parseUrl(url)?.origin ?? null;

const splitPem = (text: string): string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? [];

const isInTime = (certificate: X509Certificate, nowMs: number): boolean =>
  Date.parse(certificate.validFrom) <= nowMs && nowMs <= Date.parse(certificate.validTo);

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

/** From the certificate to a root that we trust, each in its time. */
export function isTrusted(
  chain: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  nowMs: number,
): boolean {
  let current = chain[0];
  for (let depth = 0; current && depth < LONGEST_CHAIN; depth++) {
    const subject: X509Certificate = current;
    if (!isInTime(subject, nowMs)) return false;
    if (roots.some(root => isInTime(root, nowMs) && isIssuedBy(subject, root))) return true;
    current = chain.find(other => other !== subject && other.ca && isIssuedBy(subject, other));
  }
  return false;
}

let nodeRoots: X509Certificate[] | undefined;

/** Those that Node brings are the same for everyone in the process, and take a tenth of a second to read. */
function rootsWith(extra: readonly string[]): X509Certificate[] {
  nodeRoots ??= rootCertificates.map(pem => new X509Certificate(pem));
  return [...nodeRoots, ...extra.map(pem => new X509Certificate(pem))];
}

async function download(url: string): Promise<string | null> {
  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = answer.ok ? await answer.text() : '';
    return text.length <= MOST_BYTES ? text : null;
  } catch {
    return null;
  }
}

/**
 * How often in a minute something may be done for callers whom we do not know yet. Each forged callback would else be a
 * call to PayPal under the shop's name, and PayPal slows down those who call too often: their payments too.
 */
function createAllowance(clock: Clock, most: number): () => boolean {
  let fromMs = Number.NEGATIVE_INFINITY;
  let used = 0;
  return () => {
    const nowMs = clock.nowMs();
    if (Math.abs(nowMs - fromMs) >= MINUTE_MS) {
      fromMs = nowMs;
      used = 0;
    }
    return ++used <= most;
  };
}

/** The certificate at an address of PayPal's, if its chain is good. `foreign`: not an address of PayPal's. Null: it cannot be had. Throws when too many were asked for. */
export function createPaypalCertificates({ clock, ownBases, extraRoots = [] }: CertificateOptions) {
  const own = new Set(ownBases.map(originOf));
  let parsed: X509Certificate[] | undefined;

  const load = async (url: string): Promise<X509Certificate | null> => {
    const text = await download(url);
    const chain = splitPem(text ?? '').map(pem => new X509Certificate(pem));
    const [leaf] = chain;
    if (!leaf || !SUBJECT.test(leaf.subject)) return null;
    parsed ??= rootsWith(extraRoots);
    return isTrusted(chain, parsed, clock.nowMs()) ? leaf : null;
  };
  /** Addresses of certificates that were good: no flood of other addresses drives them out. */
  const good = new Set<string>();
  const mayLook = createAllowance(clock, LOOKS_A_MINUTE);
  const known = createTtlCache({ load, clock, freshMs: 12 * HOUR_MS, absentMs: 60_000, maxEntries: MOST_GOOD });
  const looked = createTtlCache({ load, clock, freshMs: MINUTE_MS, absentMs: MINUTE_MS, maxEntries: LOOKS_A_MINUTE });

  return async (url: string): Promise<X509Certificate | 'foreign' | null> => {
    const origin = originOf(url);
    if (origin === null || !(PAYPAL_HOSTS.has(origin) || own.has(origin))) return 'foreign';
    if (good.has(url)) return known(url);
    if (!mayLook()) throw new AppError('unavailable', { detail: LATER });
    const certificate = await looked(url);
    if (certificate && good.size < MOST_GOOD) good.add(url);
    return certificate;
  };
}

export type PaypalCertificates = ReturnType<typeof createPaypalCertificates>;
