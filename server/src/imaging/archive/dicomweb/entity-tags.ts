import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

type Parts = readonly (string | number | Buffer)[];

/** Returns the entity tag for bytes that these parts determine (RFC 9110 §8.8.3). */
export const strongTag = (...parts: Parts): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(typeof part === 'number' ? String(part) : part).update('\0');
  return `"${hash.digest('base64url').slice(0, 24)}"`;
};

/**
 * Returns the entity tag of a multipart answer. The tag is weak, because the boundary is random. It differs from the tag
 * of the bare bytes, because a weak comparison would take one answer for the other.
 */
export const weakTag = (...parts: Parts): string => `W/${strongTag('multipart', ...parts)}`;

/** Returns whether the client already has the answer with this tag (RFC 9110 §13.1.2). */
export const isNotModified = ({ headers }: FastifyRequest, tag: string): boolean => {
  const known = headers['if-none-match']?.split(',').map((one) => opaqueTag(one.trim())) ?? [];
  return known.includes(opaqueTag(tag)) || known.includes('*');
};

/** The comparison is weak, so it ignores the prefix of a weak tag (RFC 9110 §8.8.3.2). */
const opaqueTag = (tag: string): string => tag.replace(/^W\//, '');
