import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificates.ts';

export type PushMessage = { headers: IncomingHttpHeaders; body: Buffer; at: number };

/** Starts a local push service (RFC 8030) over HTTPS. It accepts each message, or replies with the given status. */
export const startPushService = async ({ cert, key }: Certificate) => {
  const received: PushMessage[] = [];
  let status = 201;
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
    void bodyOf(request).then((body) => {
      if (status === 201) received.push({ headers: request.headers, body, at: performance.now() });
      response.writeHead(status, { location: '/message/1' }).end();
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    received,
    answerWith: (next: number) => {
      status = next;
    },
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
};

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/**
 * Creates the keys of a browser, its subscription, and a function that decrypts messages (RFC 8291 §3, RFC 8188 §2).
 */
export const newPushDevice = (endpoint: string) => {
  const own = createECDH('prime256v1');
  own.generateKeys();
  const auth = randomBytes(16);
  const derive = (key: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', key, salt, info, bytes));
  return {
    subscription: {
      endpoint,
      p256dh: own.getPublicKey('base64url'),
      auth: auth.toString('base64url'),
      label: 'Phone',
    },
    read: (body: Buffer): unknown => {
      const salt = body.subarray(0, 16);
      const end = 21 + body.readUInt8(20);
      const sender = body.subarray(21, end);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender]);
      const key = derive(own.computeSecret(sender), auth, info, 32);
      const contentKey = derive(key, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
      const nonce = derive(key, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
      const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce);
      decipher.setAuthTag(body.subarray(-16));
      const plain = Buffer.concat([decipher.update(body.subarray(end, -16)), decipher.final()]);
      if (plain.at(-1) !== 2) throw new Error('The last record ends with the octet 2');
      return JSON.parse(plain.subarray(0, -1).toString());
    },
  };
};

/** Returns the claims of an Authorization header, if signed by the key in it (RFC 8292 §2 and §3). */
export const vapidClaims = (header: string, expectedKey: string): Record<string, unknown> => {
  const [, signed = '', signature = '', sentKey] =
    /^vapid t=([\w-]+\.[\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
  const point = Buffer.from(expectedKey, 'base64url');
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const bytes = Buffer.from(signature, 'base64url');
  const isSigned = verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, bytes);
  if (!isSigned || sentKey !== expectedKey) throw new Error('The key of the installation has not signed this');
  return JSON.parse(Buffer.from(signed.split('.')[1] ?? '', 'base64url').toString());
};
