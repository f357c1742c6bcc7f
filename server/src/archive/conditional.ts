import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** The entity tag of an answer that is made of these parts and nothing else. Weak: boundaries and encodings may differ. */
export const entityTag = (...parts: readonly (string | number | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(typeof part === 'number' ? String(part) : part).update('\0');
  return `W/"${hash.digest('base64url').slice(0, 24)}"`;
};

/** Whether the client has the answer with this tag already (RFC 9110 §13.1.2). */
export const hasAlready = ({ headers }: FastifyRequest, tag: string): boolean => {
  const known = headers['if-none-match']?.split(',').map((one) => one.trim()) ?? [];
  return known.includes(tag) || known.includes('*');
};
