import { expect, test } from 'vitest';
import {
  endpointUrl,
  missingCredentials,
  remoteConfigurationInput,
  remoteConfigurations,
  usedCredentials,
} from './remote-archives.ts';

const typed = {
  aeTitle: 'NORTH',
  protocol: 'DICOMWEB',
  baseUrl: 'https://pacs.example.org/dicom-web',
  authType: 'NONE',
};
const messageFor = (change: object) =>
  remoteConfigurationInput.safeParse({ ...typed, ...change }).error?.issues[0]?.message;

test('a remote configuration with an AE title, a protocol and an address is accepted', () => {
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
  'https://pacs.example.org/dicom-web?key=1',
  'https://pacs.example.org/#here',
])('the DICOMweb address "%s" is refused', (baseUrl) => {
  expect(messageFor({ baseUrl })).toBe('Please enter a valid URL');
});

test.each(['', '   ', 'SEVENTEEN_LETTERS', 'BACK\\SLASH', 'ÜBER'])('the AE title "%s" is refused', (aeTitle) => {
  expect(messageFor({ aeTitle })).toBeDefined();
});

test('all errors of a remote configuration are reported together', () => {
  const { error } = remoteConfigurationInput.safeParse({
    ...typed,
    aeTitle: ' ',
    baseUrl: 'pacs',
    username: 'u'.repeat(201),
  });

  expect(error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual(
    expect.arrayContaining(['aeTitle: AE Title is required', 'baseUrl: Please enter a valid URL']),
  );
  expect(error?.issues).toHaveLength(3);
});

test('an address with credentials is refused', () => {
  expect(messageFor({ baseUrl: 'https://me:secret@pacs.example.org' })).toBe(
    'Enter the username and password in their fields, not in the address',
  );
  expect(messageFor({ wadoEndpoint: 'https://me@pacs.example.org' })).toBe(
    'Enter the username and password in their fields, not in the address',
  );
});

test('a DICOMweb endpoint is a path below the base address, or a full address', () => {
  const base = 'https://pacs.example.org/dicom-web/';

  expect(endpointUrl(base, '')).toBe('https://pacs.example.org/dicom-web');
  expect(endpointUrl(base, '/qido/')).toBe('https://pacs.example.org/dicom-web/qido');
  expect(endpointUrl(base, 'http://images.lan/wado')).toBe('http://images.lan/wado');
  expect(messageFor({ qidoEndpoint: 'ftp://images.lan' })).toBe('Please enter a valid URL');
});

const all = { username: 'u', password: 'p', token: 't', apiKey: 'k', apiSecret: 's' };
const none = { username: '', password: '', token: '', apiKey: '', apiSecret: '' };

test('each way of signing in to an archive keeps and requires only its own credentials', () => {
  expect(usedCredentials({ authType: 'NONE', ...all })).toEqual({ authType: 'NONE', ...none });
  expect(usedCredentials({ authType: 'BEARER', ...all })).toEqual({ authType: 'BEARER', ...none, token: 't' });
  expect(missingCredentials({ authType: 'NONE', ...none })).toEqual({});
  expect(missingCredentials({ authType: 'BASIC', ...none })).toEqual({
    username: 'Username is required',
    password: 'Password is required',
  });
  expect(missingCredentials({ authType: 'BEARER', ...none })).toEqual({ token: 'Token is required' });
  expect(missingCredentials({ authType: 'API', ...none })).toEqual({ apiKey: 'API Key is required' });
  expect(missingCredentials({ authType: 'API', ...none, apiKey: 'k' })).toEqual({});
});

test('a change of a remote configuration contains only the fields that it names', () => {
  expect(remoteConfigurations.change.body?.parse({ aeTitle: 'SOUTH' })).toEqual({ aeTitle: 'SOUTH' });
});
