import ipaddr from 'ipaddr.js';

export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

export interface AddressPolicy {
  /** Outside production a game on this machine works: loopback is allowed, and plain http to it. */
  readonly production: boolean;
  /** Networks the operator vouches for. Their addresses pass, whatever their kind. */
  readonly allowNetworks: readonly Network[];
}

// Public by number, yet answered by the cloud's own host agent (Azure).
const HOST_AGENT = '168.63.129.16';

/** Reads `10.0.0.0/8`, `fd00::/8` or a single address; null when it is none of these. */
export function parseNetwork(text: string): Network | null {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text.trim());
    const address = ipaddr.parse(text.trim());
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch {
    return null;
  }
}

export function isAllowed(text: string, policy: AddressPolicy): boolean {
  // A zone id chooses one of our own network interfaces.
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (policy.allowNetworks.some(network => contains(network, address))) return true;
  if (!policy.production && isLoopback(text)) return true;
  if (address.range() !== 'unicast' || text === HOST_AGENT) return false;
  // Of IPv6 only 2000::/3 is handed out for the public internet. The rest, IPv4-compatible addresses among it, merely has no name.
  return address instanceof ipaddr.IPv4 || (address.parts[0]! & 0xe000) === 0x2000;
}

function contains([network, bits]: Network, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (network instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(network, bits);
  return address instanceof ipaddr.IPv6 && address.match(network, bits);
}

export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback';
}
