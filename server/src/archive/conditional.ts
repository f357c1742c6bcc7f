import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

type Parts = readonly (string | number | Buffer)[];

/** The entity tag of bytes that are made of these parts and nothing else (RFC 9110 §8.8.3). */
export const strongTag = (...parts: Parts): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(typeof part === 'number' ? String(part) : part).update('\0');
  return `"${hash.digest('base64url').slice(0, 24)}"`;
};

/** The entity tag of an answer in several parts: what is between them is drawn anew every time. */
export const weakTag = (...parts: Parts): string => `W/${strongTag(...parts)}`;

/** Whether the client has the answer with this tag already (RFC 9110 §13.1.2). */
export const hasAlready = ({ headers }: FastifyRequest, tag: string): boolean => {
  const known = headers['if-none-match']?.split(',').map((one) => opaqueTag(one.trim())) ?? [];
  return known.includes(opaqueTag(tag)) || known.includes('*');
};

/** Weak comparison: whether a tag is called weak does not count (RFC 9110 §8.8.3.2). */
const opaqueTag = (tag: string): string => tag.replace(/^W\//, '');
