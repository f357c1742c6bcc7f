import {
  createCipheriv,
  createECDH,
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  hkdfSync,
  type JsonWebKey,
  randomBytes,
  sign,
} from 'node:crypto';

/** The keys of a browser subscription in base64url: a P-256 point and 16 bytes (RFC 8291 §2). */
export type PushKeys = { p256dh: string; auth: string };

const recordSize = 4096;
const tagBytes = 16;
/** Bytes that fit into the single record of a message, without delimiter and tag (RFC 8291 §4). */
export const mostPushBytes = recordSize - tagBytes - 1;

const derive = (key: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes));

type OneTime = { salt: Buffer; privateKey: Buffer };

/**
 * Encrypts a message for one browser (RFC 8291), with aes128gcm and a single record (RFC 8188). `fixed` sets the values
 * of the RFC's example. Throws for an invalid public key.
 */
export const encryptPush = (message: Buffer, { p256dh, auth }: PushKeys, fixed?: OneTime): Buffer => {
  if (message.length > mostPushBytes) throw new RangeError('The push message is too large');
  const receiver = Buffer.from(p256dh, 'base64url');
  const own = createECDH('prime256v1');
  if (fixed) own.setPrivateKey(fixed.privateKey);
  else own.generateKeys();
  const sender = own.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender]);
  const key = derive(own.computeSecret(receiver), Buffer.from(auth, 'base64url'), info, 32);
  const salt = fixed?.salt ?? randomBytes(16);
  const contentKey = derive(key, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(key, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce);
  const header = Buffer.alloc(21);
  salt.copy(header);
  header.writeUInt32BE(recordSize, 16);
  header.writeUInt8(sender.length, 20);
  // The byte 2 marks the last record.
  const encrypted = [cipher.update(message), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([header, sender, ...encrypted]);
};

/** The key of the installation: the point for browsers in base64url, and the private key as a JWK. */
export type VapidKey = { publicKey: string; privateKey: JsonWebKey };

export const makeVapidKey = (): VapidKey => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' });
  const point = [Buffer.from([4]), Buffer.from(jwk.x ?? '', 'base64url'), Buffer.from(jwk.y ?? '', 'base64url')];
  return { publicKey: Buffer.concat(point).toString('base64url'), privateKey: jwk };
};

const hour = 3600;

/**
 * Returns the Authorization header for a push service (RFC 8292). `contact` is a mailto: or https: URL of the
 * operator.
 */
export const vapidAuthorization = (endpoint: string, contact: string, { publicKey, privateKey }: VapidKey): string => {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(Date.now() / 1000) + 12 * hour, sub: contact };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
  const key = createPrivateKey({ key: privateKey, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  return `vapid t=${signed}.${signature}, k=${publicKey}`;
};

/**
 * Returns the topic of a message, at most 32 characters (RFC 8030 §5.4). A later message with the same topic replaces
 * one that was not delivered yet.
 */
export const pushTopic = (id: string): string => createHash('sha256').update(id).digest('base64url').slice(0, 32);
