import { randomUUID } from 'node:crypto';

/** A new id: UUID version 7 (RFC 9562 §5.7), so that rows made later sort later and indexes grow at their end. */
export const newId = (): string => {
  const time = Date.now().toString(16).padStart(12, '0');
  // What follows the version is random in version 4 as well, and Node keeps a supply of those.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
};

export const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
