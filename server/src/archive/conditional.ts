import { createHash } from 'node:crypto';
import type { StreamCall } from '#core/http.ts';

/** The entity tag of an answer that is made of these parts and nothing else. Weak: boundaries and encodings may differ. */
export const entityTag = (...parts: readonly (string | number | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(typeof part === 'number' ? String(part) : part).update('\0');
  return `W/"${hash.digest('base64url').slice(0, 24)}"`;
};

/** Tags the answer; when the client has it already (RFC 9110 §13.1.2), answers 304 and says so. */
export const answeredUnchanged = ({ request, reply }: StreamCall, tag: string): boolean => {
  void reply.header('etag', tag);
  const known = request.headers['if-none-match']?.split(',').map((one) => one.trim());
  if (!known?.includes('*') && !known?.includes(tag)) return false;
  void reply.status(304).send();
  return true;
};
