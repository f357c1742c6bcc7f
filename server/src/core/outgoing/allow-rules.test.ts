import { expect, test } from 'vitest';
import { readAllowRules } from './allow-rules.ts';

test('an allow rule names addresses and ports, and optionally a host, protocols and tenants', () => {
  const [first, second, ...others] = readAllowRules(
    'host=*.Hospital.lan net=10.20.0.0/16,fd12::/64 ports=443,8042-8044 protocols=https,http tenants=north,west; net=10.0.0.7 ports=104 protocols=dicom',
  );

  expect(first).toMatchObject({
    host: '*.hospital.lan',
    ports: [
      { from: 443, to: 443 },
      { from: 8042, to: 8044 },
    ],
    protocols: ['https', 'http'],
    tenants: ['north', 'west'],
  });
  expect(first?.networks.map(([address, bits]) => `${address.toString()}/${bits}`)).toEqual([
    '10.20.0.0/16',
    'fd12::/64',
  ]);
  expect(second?.networks.map(([address, bits]) => `${address.toString()}/${bits}`)).toEqual(['10.0.0.7/32']);
  expect(others).toEqual([]);
});

test('an allow rule without a protocol applies to https', () => {
  expect(readAllowRules('net=10.0.0.7 ports=443')[0]?.protocols).toEqual(['https']);
});

test.each([
  ['host=pacs.lan ports=443', 'a host alone is not enough'],
  ['net=10.0.0.7', 'needs ports='],
  ['net=10.0.0.0/33 ports=443', '"10.0.0.0/33" is not an address or a network'],
  ['net=pacs.lan ports=443', '"pacs.lan" is not an address or a network'],
  ['net=10.0.0.7 ports=0', '"0" is not a port'],
  ['net=10.0.0.7 ports=9-1', '"9-1" is not a port'],
  ['net=10.0.0.7 ports=70000', '"70000" is not a port'],
  ['net=10.0.0.7 ports=443 protocols=ftp', '"ftp" is not one of https, http, dicom'],
  ['net=10.0.0.7 ports=443 whatever', '"whatever" is not one of host=, net='],
])('refuses the allow rule "%s" and quotes the fault', (rule, reason) => {
  expect(() => readAllowRules(rule)).toThrow(reason);
});
