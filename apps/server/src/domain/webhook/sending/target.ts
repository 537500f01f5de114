import ipaddr from 'ipaddr.js';
import { parseUrl } from '../../../kit/parse-url.ts';
import { type AddressPolicy, isAllowed, isLoopback } from './public-address.ts';

export interface TargetPolicy extends AddressPolicy {
  /** The only hosts that the operator allows; empty for every public one. `*.` stands for all names below one. */
  readonly hosts: readonly string[];
}

export interface TargetRefusal {
  readonly code: 'url_invalid' | 'url_not_https' | 'url_credentials' | 'url_port' | 'address_not_allowed';
  readonly message: string;
}

export interface Target {
  /** Scheme, host (normalized) and port. */
  readonly origin: string;
  readonly path: string;
  readonly secure: boolean;
  /** Without brackets and without a trailing dot. */
  readonly host: string;
  /** Known without DNS: the host is an address, or localhost. */
  readonly addresses: readonly string[] | null;
}

const LONGEST_URL = 2083;

// Below 1024 only the two web ports; these are the well-known services above it that speak something else.
const OTHER_SERVICES = new Set([
  1080, 1433, 1434, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 3128, 3306, 3389, 3659, 4045,
  4190, 4369, 5060, 5061, 5222, 5269, 5432, 5433, 5671, 5672, 5900, 5984, 5985, 5986, 6000, 6379, 6380, 6443, 6566,
  6665, 6666, 6667, 6668, 6669, 6679, 6697, 7199, 8883, 9042, 9092, 9100, 9160, 9200, 9300, 10050, 10051, 10080, 10250,
  10255, 11211, 15672, 26257, 26379, 27017, 27018, 27019, 28017,
]);

const PRIVATE_SUFFIXES = 'localhost localdomain local internal intranet lan home.arpa corp home private svc'.split(' ');
const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data.ec2.internal']);

const LONGEST_NAME = 253;
const NAME_LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'] as const;

/** What is wrong with this address as a webhook's URL, judged without asking DNS; null when nothing is. */
export function checkUrl(url: string, policy: TargetPolicy): TargetRefusal | null {
  const read = readTarget(url, policy);
  return 'origin' in read ? null : read;
}

/** Judges a URL as `checkUrl` does, and gives the parts of one that passes as they go over the wire. */
export function readTarget(text: string, policy: TargetPolicy): Target | TargetRefusal {
  if (text.length > LONGEST_URL) return invalid(`the URL is longer than ${LONGEST_URL} characters`);
  // The URL parser forgives all of these, and each is a known way to make two readers see two hosts.
  if (!/^https?:\/\/[^/\\]/i.test(text) || /[\s\\\p{Cc}]/u.test(text)) return invalid('this is not an http(s) URL');
  const url = parseUrl(text);
  if (!url?.hostname) return invalid('this is not a URL');
  if (url.username || url.password || /^https?:\/\/[^/?#]*@/i.test(text)) {
    return { code: 'url_credentials', message: 'the URL must not contain credentials' };
  }
  if (text.includes('#')) return invalid('the URL must not contain a fragment');
  if (!portAllowed(url.port)) {
    return { code: 'url_port', message: `port ${url.port} belongs to another kind of service` };
  }
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (!isHost(host)) return invalid('the host name is not valid');

  if (!isListed(host, policy.hosts)) {
    return { code: 'address_not_allowed', message: 'the operator of this installation does not allow this host' };
  }
  const addresses = knownAddresses(host, policy);
  const refusal = addresses ? vetAddresses(addresses, policy) : nameRefusal(host, policy);
  if (refusal) return refusal;
  const secure = url.protocol === 'https:';
  const plainAllowed = !policy.production && addresses?.every(isLoopback);
  if (!secure && !plainAllowed) {
    const unless = policy.production ? '' : ' (plain http is for this machine only)';
    return { code: 'url_not_https', message: `the URL must begin with https://${unless}` };
  }
  const bracketed = host.includes(':') ? `[${host}]` : host;
  const origin = `${url.protocol}//${bracketed}${url.port ? `:${url.port}` : ''}`;
  return { origin, path: url.pathname + url.search, secure, host, addresses };
}

/** One bad address refuses them all: the next connection could be to that one. */
export function vetAddresses(addresses: readonly string[], policy: TargetPolicy): TargetRefusal | null {
  if (addresses.length > 0 && addresses.every(address => isAllowed(address, policy))) return null;
  return { code: 'address_not_allowed', message: 'the address is not a public one' };
}

/** An address, or a name that DNS can hold. The URL parser lets more through, which could only ever fail. */
function isHost(host: string): boolean {
  if (ipaddr.isValid(host)) return true;
  return host.length <= LONGEST_NAME && host.split('.').every(label => NAME_LABEL.test(label));
}

function isListed(host: string, hosts: readonly string[]): boolean {
  if (hosts.length === 0) return true;
  return hosts.some(one => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : one === host));
}

function knownAddresses(host: string, policy: TargetPolicy): readonly string[] | null {
  if (host === 'localhost' || host.endsWith('.localhost')) {
    return LOOPBACK_ADDRESSES.filter(address => isAllowed(address, policy));
  }
  return ipaddr.isValid(host) ? [host] : null;
}

function nameRefusal(host: string, policy: TargetPolicy): TargetRefusal | null {
  const refusal: TargetRefusal = { code: 'address_not_allowed', message: 'the host is not a public one' };
  if (METADATA_NAMES.has(host)) return refusal;
  // An operator who allows networks has hosts in them; then their addresses decide.
  if (policy.allowNetworks.length > 0) return null;
  // One word is completed by the resolver's own domain: never a public host.
  if (policy.production && !host.includes('.')) return refusal;
  return PRIVATE_SUFFIXES.some(suffix => host === suffix || host.endsWith(`.${suffix}`)) ? refusal : null;
}

function portAllowed(text: string): boolean {
  if (text === '') return true;
  const port = Number(text);
  return port < 1024 ? port === 80 || port === 443 : !OTHER_SERVICES.has(port);
}

function invalid(message: string): TargetRefusal {
  return { code: 'url_invalid', message };
}
