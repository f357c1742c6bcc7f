import ipaddr from 'ipaddr.js';

/**
 * Whom to count together of those who call. In IPv6 whoever has one address has 2^64 of them (RFC 6177), and would be
 * counted anew with each: there it is the first 64 bits.
 */
export const networkOf = (address: string): string => {
  if (!address.includes(':')) return address;
  const parsed = parse(address);
  if (!parsed) return address;
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
};

/** Every call without a session has its address read: to ask whether it is valid first would be to read it twice. */
const parse = (address: string): ipaddr.IPv6 | undefined => {
  try {
    return ipaddr.IPv6.parse(address);
  } catch {
    return undefined;
  }
};

/**
 * An address without the port that some proxies write beside it, in the notations of RFC 7239 §6: each connection has
 * another, and whoever guesses would be somebody else with each.
 */
export const withoutPort = (address: string): string => {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(address) ?? [];
  return bracketed ?? plain ?? address;
};
