import { expect, test } from 'vitest';
import { hideSecrets } from './hide-secrets.ts';

const none = { username: '', password: '', token: '', apiKey: '', apiSecret: '' };
const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['a token', { token: 'TOP-SECRET' }, 'authorization: Bearer TOP-SECRET', 'authorization: Bearer [hidden]'],
  [
    'a user name and its password',
    { username: 'radwork', password: 'pass word?' },
    `authorization: Basic ${base64('radwork:pass word?')}`,
    'authorization: Basic [hidden]',
  ],
  [
    'a user name and its password in base64 without padding',
    { username: 'ab', password: 'cd' },
    `Basic ${base64('ab:cd').replaceAll('=', '')}.`,
    'Basic [hidden].',
  ],
  ['a password in an address', { password: 'a&b c' }, '/fhir?p=a%26b%20c', '/fhir?p=[hidden]'],
  ['a password in JSON', { password: 'a"b' }, String.raw`{"p":"a\"b"}`, '{"p":"[hidden]"}'],
  [
    'a key and a secret that begins with the key',
    { apiKey: 'key', apiSecret: 'key-2' },
    'key-2, key',
    '[hidden], [hidden]',
  ],
])('hides %s in the text of another system', (_, secrets, text, masked) => {
  expect(hideSecrets({ ...none, ...secrets })(text)).toBe(masked);
});

test('text without secrets stays unchanged, also when no secret is set', () => {
  expect(hideSecrets(none)('No such patient')).toBe('No such patient');
  expect(hideSecrets({ ...none, username: 'radwork', password: 'secret' })('radwork may not')).toBe('radwork may not');
});
