import ipaddr from 'ipaddr.js';

export const outgoingProtocols = ['https', 'http', 'dicom', 'dicoms'] as const;
/** A protocol for calls to other systems. "dicom" is DIMSE over TCP without encryption, "dicoms" over TLS. */
export type OutgoingProtocol = (typeof outgoingProtocols)[number];

export type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];
type PortRange = { from: number; to: number };

/**
 * A rule in the operator's allow-list. It always names addresses, because the owner of a host name can point it to any
 * address (DNS rebinding).
 */
export type AllowRule = {
  /**
   * "pacs.hospital.lan", or "*.hospital.lan" for every name below it. Without a host, the rule applies to any name and
   * to bare addresses.
   */
  host?: string;
  networks: readonly Network[];
  ports: readonly PortRange[];
  protocols: readonly OutgoingProtocol[];
  /** Subdomains of the tenants that may use the rule. If there are none here, all tenants may use the rule. */
  tenants?: readonly string[];
};

/**
 * Reads the setting REMOTE_ALLOW. Rules are separated by ";", each with "key=value" parts in any order. Example:
 * "host=*.hospital.lan net=10.20.0.0/16 ports=443,8042-8044 protocols=https,http tenants=north,west". `net` and `ports`
 * are required; `protocols` defaults to https. Throws an Error that quotes the wrong part.
 */
export const readAllowRules = (text: string): AllowRule[] =>
  text
    .split(/[;\n]/)
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '')
    .map(readRule);

const readRule = (text: string): AllowRule => {
  const values = new Map(text.split(/\s+/).map(readWord));
  const { host, net, ports, protocols = ['https'], tenants } = Object.fromEntries(values);
  if (!net) throw new Error(`"${text}" needs net= with the allowed addresses: a host alone is not enough`);
  if (!ports) throw new Error(`"${text}" needs ports=, such as ports=443,8042`);
  return {
    ...(host && { host: host.join(',').toLowerCase() }),
    networks: net.map(readNetwork),
    ports: ports.map(readPorts),
    protocols: protocols.map(readProtocol),
    ...(tenants && { tenants }),
  };
};

const readWord = (word: string): [key: string, values: string[]] => {
  const [, key = '', value = ''] = /^(host|net|ports|protocols|tenants)=(.+)$/.exec(word) ?? [];
  if (key === '') throw new Error(`"${word}" is not one of host=, net=, ports=, protocols=, tenants=`);
  return [key, value.split(',')];
};

const readNetwork = (text: string): Network => {
  const withBits = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`;
  if (!ipaddr.isValidCIDR(withBits)) throw new Error(`"${text}" is not an address or a network such as 10.20.0.0/16`);
  return ipaddr.parseCIDR(withBits);
};

const readPorts = (text: string): PortRange => {
  const [, from, to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  const range = { from: Number(from), to: Number(to) };
  if (!(range.from >= 1 && range.to >= range.from && range.to <= 65_535)) {
    throw new Error(`"${text}" is not a port or a port range such as 8042-8044`);
  }
  return range;
};

const readProtocol = (text: string): OutgoingProtocol => {
  const protocol = outgoingProtocols.find((outgoingProtocol) => outgoingProtocol === text);
  if (!protocol) throw new Error(`"${text}" is not one of ${outgoingProtocols.join(', ')}`);
  return protocol;
};
