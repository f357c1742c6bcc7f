import { expect, test } from 'vitest';
import { remoteConfigurationInput } from './remote-configurations.ts';

const typed = {
  aeTitle: 'NORTH',
  protocol: 'DICOMWEB',
  baseUrl: 'https://pacs.example.org/dicom-web',
  authType: 'NONE',
};
const messageFor = (change: object) =>
  remoteConfigurationInput.safeParse({ ...typed, ...change }).error?.issues[0]?.message;

test('a configuration with an AE title, a protocol and an address is accepted', () => {
  expect(messageFor({})).toBeUndefined();
  expect(messageFor({ protocol: 'DIMSE', baseUrl: 'dicom://PACS@10.0.0.7:104' })).toBeUndefined();
});

test.each([
  '',
  'pacs.example.org',
  'ftp://pacs.example.org',
  'file:///etc/passwd',
  'dicom://PACS@10.0.0.7:104',
  'http://',
])('the address "%s" of a DICOMweb archive is refused', (baseUrl) => {
  expect(messageFor({ baseUrl })).toBe('Please enter a valid URL');
});

test.each(['', '   ', 'SEVENTEEN_LETTERS', 'BACK\\SLASH', 'ÜBER'])('the AE title "%s" is refused', (aeTitle) => {
  expect(messageFor({ aeTitle })).toBeDefined();
});
