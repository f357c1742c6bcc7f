import { t } from '@radwork/contract/core/translate';
import { timingSafeEqual } from 'node:crypto';
import { forbidden, malformed } from '#core/http/problem.ts';
import type { Session } from './scope.ts';
import type { SecretKey } from '#core/installation/secret-key.ts';
import { hashOfToken, type Sessions } from './sessions.ts';

export type PictureLinks = ReturnType<typeof createPictureLinks>;

/** Milliseconds for which an image URL works. They are few, so that a copied URL is soon useless. */
const lastsFor = 5 * 60_000;

/** The end of a signed URL: its expiry, the SHA-256 of the session token, and the signature over both. */
const ending = /^(\/[^\s#]{1,2000})[?&]expires=(\d{13})&session=([\w-]{43})&signature=([\w-]{43})$/;

/**
 * Signs URLs for <img> elements, which cannot send a token. A signed URL is valid for one path, session and tenant. It
 * has the rights of the session, and works only while the session lasts.
 */
export const createPictureLinks = (secretKey: SecretKey, sessions: Sessions) => {
  const signatureOf = (path: string, expires: string, tokenHash: string, tenantId: number): Buffer =>
    secretKey.hmac('picture-link', path, expires, tokenHash, String(tenantId));

  return {
    /** Signs a path of this server, with an optional query. Throws 400 for a caller without a session token. */
    make: (path: string, session: Session, authorization: string | undefined): { url: string; expiresAt: string } => {
      const [, token] = /^Bearer ([\w-]{20,200})$/.exec(authorization ?? '') ?? [];
      if (!token) throw malformed(t`Only signed-in users get image links`);
      if (session.homeTenantId !== undefined)
        throw forbidden(t`Image links are available only in your own organization`);
      const expires = Date.now() + lastsFor;
      const tokenHash = hashOfToken(token).toString('base64url');
      const signature = signatureOf(path, String(expires), tokenHash, session.tenantId).toString('base64url');
      const query = `expires=${expires}&session=${tokenHash}&signature=${signature}`;
      return {
        url: `${path}${path.includes('?') ? '&' : '?'}${query}`,
        expiresAt: new Date(expires).toISOString(),
      };
    },

    /** Returns the session of a signed URL; undefined for any other URL or an ended session. */
    open: async (url: string, address: string): Promise<Session | undefined> => {
      const [, path, expires, tokenHash, signature] = ending.exec(url) ?? [];
      if (!path || !expires || !tokenHash || !signature || Number(expires) < Date.now()) return undefined;
      const session = await sessions.resolveHash(Buffer.from(tokenHash, 'base64url'), address, true);
      if (!session) return undefined;
      const expected = signatureOf(path, expires, tokenHash, session.tenantId);
      const actual = Buffer.from(signature, 'base64url');
      return actual.length === expected.length && timingSafeEqual(actual, expected) ? session : undefined;
    },
  };
};
