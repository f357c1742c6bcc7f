import ipaddr from 'ipaddr.js';

/**
 * Whom to count together of those who call. In IPv6 whoever has one address has 2^64 of them (RFC 6177), and would be
 * counted anew with each: there it is the first 64 bits.
 */
export const networkOf = (address: string): string => {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.replace(/%.*$/, '')}/64`).toString()}/64`;
};
