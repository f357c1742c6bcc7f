import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { encryptPush, makeVapidKey, mostPushBytes, pushTopic, vapidAuthorization } from './web-push.ts';

/** The example of RFC 8291, appendix A. */
const example = {
  message: 'When I grow up, I want to be a watermelon',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  encrypted:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

const bytes = (text: string) => Buffer.from(text, 'base64url');

test('encrypts the example of RFC 8291 byte for byte', () => {
  const fixed = { salt: bytes(example.salt), privateKey: bytes(example.privateKey) };

  const encrypted = encryptPush(Buffer.from(example.message), example, fixed);

  expect(encrypted.toString('base64url')).toBe(example.encrypted);
});

test('encrypts a push message differently each time and refuses a message that is too long', () => {
  const [one, other] = [encryptPush(Buffer.from('x'), example), encryptPush(Buffer.from('x'), example)];

  expect(one.equals(other)).toBe(false);
  expect(() => encryptPush(Buffer.alloc(mostPushBytes + 1), example)).toThrow(RangeError);
  expect(() => encryptPush(Buffer.from('x'), { ...example, p256dh: example.auth })).toThrow(/Public key is not valid/);
});

test('a push message is authorized for its push service with the key known to browsers', () => {
  const key = makeVapidKey();

  const header = vapidAuthorization('https://push.example/send/secret', 'https://radwork.example', key);

  const [, head = '', claims = '', signature = '', sentKey] = /^vapid t=(.+)\.(.+)\.(.+), k=(.+)$/.exec(header) ?? [];
  const read = JSON.parse(bytes(claims).toString()) as { exp: number };
  const point = bytes(key.publicKey);
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const known = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: known, dsaEncoding: 'ieee-p1363' },
    bytes(signature),
  );
  expect(isSigned).toBe(true);
  expect(sentKey).toBe(key.publicKey);
  expect(read).toMatchObject({ aud: 'https://push.example', sub: 'https://radwork.example' });
  expect(read.exp * 1000).toBeLessThan(Date.now() + 24 * 3_600_000);
});

test('the topic of a push message follows RFC 8030', () => {
  expect(pushTopic('0193-x')).toMatch(/^[A-Za-z0-9_-]{32}$/);
});
