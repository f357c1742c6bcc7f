import { t } from '@radwork/contract/core/translate';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { AllowRule, Network, OutgoingProtocol } from './allow-rules.ts';
import { RemoteError } from './remote-error.ts';

/**
 * The destination that a tenant wants to call. `host` is the entered name or address, in lower case and without
 * brackets.
 */
export type Target = {
  tenant: { id: number; subdomain: string };
  protocol: OutgoingProtocol;
  host: string;
  port: number;
};

const objections = {
  metadata: (place: string) => t`${place} is a cloud metadata service`,
  thisServer: (place: string) => t`${place} is this server itself`,
  linkLocal: (place: string) => t`${place} is a link-local address`,
  multicast: (place: string) => t`${place} is a multicast or broadcast address`,
  reserved: (place: string) => t`${place} is a reserved address`,
  embedded: (place: string) => t`${place} is an embedded IPv4 address`,
  private: (place: string) => t`${place} is a private address`,
};

type AddressKind = keyof typeof objections;

type Special = { network: Network; kind: AddressKind };

const special = (kind: AddressKind, ...networks: string[]): Special[] =>
  networks.map((network) => ({ network: ipaddr.parseCIDR(network), kind }));

/**
 * Addresses that are never a remote archive (IANA special-purpose registries, and cloud metadata services). A rule
 * opens such an address only if the network of the rule is at least as narrow as the prefix here; net=0.0.0.0/0 opens
 * none. The first match counts.
 */
const specials: readonly Special[] = [
  ...special('metadata', '169.254.169.254/32', '100.100.100.200/32', '168.63.129.16/32'),
  ...special('metadata', '192.0.0.192/32', 'fd00:ec2::254/128'),
  ...special('thisServer', '127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128'),
  ...special('linkLocal', '169.254.0.0/16', 'fe80::/10'),
  ...special('multicast', '224.0.0.0/4', 'ff00::/8', '255.255.255.255/32'),
  ...special('reserved', '192.0.0.0/24', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'),
  ...special('reserved', '192.88.99.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24'),
  ...special('reserved', '198.18.0.0/15', '240.0.0.0/4'),
  // An IPv6 address that contains an IPv4 address would bypass the rules about that IPv4 address.
  ...special('embedded', '::/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'),
  ...special('reserved', '2001::/23', '2001:db8::/32', '2620:4f:8000::/48', '3fff::/20'),
];

const privateNetworks = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'].map((network) =>
  ipaddr.parseCIDR(network),
);

/** All IPv6 addresses assigned as public so far (RFC 4291 §2.4). */
const publicIpv6 = ipaddr.parseCIDR('2000::/3');

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const isIn = (address: Address, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match([network, bits]);

/** True for an IPv6 address that contains an IPv4 address, as tunnels create it (ISATAP, RFC 5214 §6.1). */
const isTunnel = (address: Address): boolean => {
  const [, , , , fifth, sixth] =
    address.kind() === 'ipv6' ? (address.toByteArray().map(hexByte).join('').match(/.{4}/g) ?? []) : [];
  return (fifth === '0000' || fifth === '0200') && sixth === '5efe';
};

const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0');

/**
 * Returns why an address is not public, and the prefix length that a rule needs to open it. Undefined for a public
 * address.
 */
const objectionTo = (address: Address): { kind: AddressKind; bits: number } | undefined => {
  const match = specials.find(({ network }) => isIn(address, network));
  if (match) return { kind: match.kind, bits: match.network[1] };
  if (privateNetworks.some((network) => isIn(address, network))) return { kind: 'private', bits: 0 };
  if (isTunnel(address)) return { kind: 'embedded', bits: 128 };
  if (address.kind() === 'ipv6' && !isIn(address, publicIpv6)) return { kind: 'reserved', bits: 128 };
  return undefined;
};

const isNamed = (host: string, rule: string): boolean =>
  rule.startsWith('*.') ? host.endsWith(rule.slice(1)) && host.length > rule.length - 1 : host === rule;

const allows = (rule: AllowRule, address: Address, bits: number, { tenant, protocol, host, port }: Target): boolean =>
  rule.protocols.includes(protocol) &&
  (!rule.tenants || rule.tenants.includes(tenant.subdomain)) &&
  (!rule.host || isNamed(host, rule.host)) &&
  rule.ports.some(({ from, to }) => from <= port && port <= to) &&
  rule.networks.some((network) => network[1] >= bits && isIn(address, network));

/**
 * Returns the address for the connection, if the tenant may call this address. Allowed are public addresses over https
 * on port 443, and addresses in the operator's rules. An IPv4 address written as IPv6 is returned as IPv4. Throws a
 * RemoteError with the reason and with the rule that would allow it.
 */
export const judgeAddress = (text: string, target: Target, rules: readonly AllowRule[]): string => {
  // A zone ("fe80::1%eth0") names a network interface of this machine.
  if (text.includes('%') || isIP(text) === 0) throw refusal(target, t`${text} is not a valid address`);
  const address = ipaddr.process(text);
  const plainAddress = address.toString();
  const objection = objectionTo(address);
  if (rules.some((rule) => allows(rule, address, objection?.bits ?? 0, target))) return plainAddress;
  if (objection) throw refusal(target, objections[objection.kind](placeOf(target, plainAddress)), plainAddress);
  if (target.protocol === 'dicoms') throw refusal(target, t`Only https is allowed without a rule`, plainAddress);
  if (target.protocol !== 'https') throw refusal(target, t`${target.protocol} is not encrypted`, plainAddress);
  if (target.port !== 443) throw refusal(target, t`Port ${target.port} is not 443, the port of https`, plainAddress);
  return plainAddress;
};

const placeOf = ({ host }: Target, address: string): string => (host === address ? address : `${host} (${address})`);

const refusal = (target: Target, why: string, address?: string): RemoteError => {
  const { host, port, protocol, tenant } = target;
  if (!address) return new RemoteError('REFUSED_BY_POLICY', `${why}.`);
  const rule = [
    ...(isIP(host) ? [] : [`host=${host}`]),
    `net=${address}/${address.includes(':') ? 128 : 32}`,
    `ports=${port}`,
    `protocols=${protocol}`,
    `tenants=${tenant.subdomain}`,
  ];
  return new RemoteError(
    'REFUSED_BY_POLICY',
    t`${why}. To allow it, the operator of this server can add to the setting REMOTE_ALLOW: ${rule.join(' ')}`,
  );
};
