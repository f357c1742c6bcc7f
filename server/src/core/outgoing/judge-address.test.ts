import { randomBytes } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { readAllowRules } from './allow-rules.ts';
import { judgeAddress, type Target } from './judge-address.ts';

const target: Target = {
  tenant: { id: 1, subdomain: 'north' },
  protocol: 'https',
  host: 'pacs.example.org',
  port: 443,
};
const judge = (address: string, rules = '', changes: Partial<Target> = {}) =>
  judgeAddress(address, { ...target, ...changes }, readAllowRules(rules));
const isRefused = (...args: Parameters<typeof judge>): boolean => {
  try {
    judge(...args);
    return false;
  } catch {
    return true;
  }
};

test.each(['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:93.184.216.34'])(
  'allows the public address %s over https',
  (address) => {
    expect(judge(address)).toBe(address.replace('::ffff:', ''));
  },
);

const notPublic = `
  127.0.0.1 127.8.9.10 ::1 :: 0.0.0.0 0.1.2.3 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1
  100.64.0.1 169.254.169.254 169.254.1.1 198.18.0.1 192.0.0.1 192.0.2.1 198.51.100.1 203.0.113.1
  224.0.0.1 240.0.0.1 255.255.255.255 100.100.100.200 192.0.0.192 168.63.129.16 fc00::1 fd00:ec2::254
  fe80::1 fe80::1%eth0 fec0::1 ff02::1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::127.0.0.1
  64:ff9b::a00:1 64:ff9b:1::a00:1 2002:a00:1:: 2001:0:4136:e378:8000:63bf:f5ff:fffe 2001:db8::1
  2001:10::1 100::1 3fff::1 2606:2800:220:1:0:5efe:a00:1 2606:2800:220:1:200:5efe:a00:1 4000::1
  5f00::1 8000::1`;

test.each([...notPublic.trim().split(/\s+/), 'pacs.lan', '1.2.3', ''])(
  'refuses the address %s without an allow rule',
  (address) => {
    expect(() => judge(address)).toThrow(expect.objectContaining({ remoteCause: 'REFUSED_BY_POLICY' }));
  },
);

test('an address that only a second list names as special is also never treated as public', () => {
  const addresses = Array.from({ length: 20_000 }, (_, index) =>
    ipaddr.fromByteArray([...randomBytes(index % 2 ? 4 : 16)]),
  );

  const suspicious = addresses.filter((address) => address.range() !== 'unicast' && !isRefused(address.toString()));

  expect(suspicious.map(String)).toEqual([]);
});

test.each([
  ['HTTPS to another port', { port: 8443 }],
  ['HTTP without encryption', { protocol: 'http', port: 443 }],
  ['DIMSE', { protocol: 'dicom', port: 443 }],
] as const)('requires an allow rule for a call by %s, even to a public address', (_, changes) => {
  expect(isRefused('93.184.216.34', '', changes)).toBe(true);
  const rule = 'net=93.184.216.34 ports=443,8443 protocols=https,http,dicom';
  expect(isRefused('93.184.216.34', rule, changes)).toBe(false);
});

const rule = 'host=*.hospital.lan net=10.20.0.0/16 ports=8042 protocols=http tenants=north';
const internalTarget: Partial<Target> = { host: 'pacs.hospital.lan', port: 8042, protocol: 'http' };

test('an allow rule applies only when all its parts match', () => {
  expect(isRefused('10.20.0.5', rule, internalTarget)).toBe(false);
  expect(isRefused('::ffff:10.20.0.5', rule, internalTarget)).toBe(false);
  expect(isRefused('10.21.0.5', rule, internalTarget)).toBe(true);
  expect(isRefused('10.20.0.5', rule, { ...internalTarget, port: 8043 })).toBe(true);
  expect(isRefused('10.20.0.5', rule, { ...internalTarget, protocol: 'https' })).toBe(true);
  expect(isRefused('10.20.0.5', rule, { ...internalTarget, tenant: { id: 2, subdomain: 'west' } })).toBe(true);
  expect(isRefused('10.20.0.5', rule, { ...internalTarget, host: '10.20.0.5' })).toBe(true);
  expect(isRefused('10.20.0.5', rule, { ...internalTarget, host: 'hospital.lan' })).toBe(true);
  expect(isRefused('10.20.0.5', rule, { ...internalTarget, host: 'evilhospital.lan' })).toBe(true);
  expect(isRefused('64:ff9b::a14:5', rule, internalTarget)).toBe(true);
});

test('an allow rule for all addresses does not allow special addresses', () => {
  const all = 'net=0.0.0.0/0,::/0 ports=1-65535 protocols=https';

  expect(isRefused('10.0.0.1', all)).toBe(false);
  for (const address of [
    '127.0.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '168.63.129.16',
    '::1',
    'fe80::1',
    '2002:a00:1::',
  ]) {
    expect({ address, isRefused: isRefused(address, all) }).toEqual({ address, isRefused: true });
  }
  expect(isRefused('fd00:ec2::254', 'net=fd00::/8 ports=443')).toBe(true);
  expect(isRefused('127.0.0.1', 'net=127.0.0.0/8 ports=443')).toBe(false);
  expect(isRefused('fd00:ec2::254', 'net=fd00:ec2::254 ports=443')).toBe(false);
});

test.each([
  ['10.20.0.5', internalTarget],
  ['fd12::5', { ...internalTarget, host: 'fd12::5' }],
  ['127.0.0.1', { ...internalTarget, host: 'localhost' }],
  ['93.184.216.34', { port: 8443 }],
])('the refusal of %s names the rule that would allow it', (address, changes) => {
  let reason = '';
  try {
    judge(address, '', changes);
  } catch (error) {
    reason = error instanceof Error ? error.message : '';
  }

  const [, suggested = ''] = /REMOTE_ALLOW: (.+)$/.exec(reason) ?? [];

  expect(isRefused(address, suggested, changes)).toBe(false);
});

test('DICOM over TLS is a separate protocol that an allow rule must name', () => {
  const dicoms = { protocol: 'dicoms', port: 2762 } as const;

  expect(isRefused('93.184.216.34', '', dicoms)).toBe(true);
  expect(isRefused('93.184.216.34', 'net=93.184.216.34 ports=2762 protocols=dicom', dicoms)).toBe(true);
  expect(isRefused('93.184.216.34', 'net=93.184.216.34 ports=2762 protocols=dicoms', dicoms)).toBe(false);
});
