import ipaddr from 'ipaddr.js';

/**
 * Returns the network by which calls are counted. For IPv6 that is the first 64 bits, because one subscriber has at
 * least 2^64 addresses (RFC 6177).
 */
export const networkOf = (address: string): string => {
  if (!address.includes(':')) return address;
  const parsed = parse(address);
  if (!parsed) return address;
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
};

/** Parses an address once. A separate check for validity would parse it again, at every call without a session. */
const parse = (address: string): ipaddr.IPv6 | undefined => {
  try {
    return ipaddr.IPv6.parse(address);
  } catch {
    return undefined;
  }
};

/**
 * Removes the port that some proxies add to an address, in the notations of RFC 7239 §6. With the port, each connection
 * of an attacker would count as another address.
 */
export const withoutPort = (address: string): string => {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(address) ?? [];
  return bracketed ?? plain ?? address;
};
