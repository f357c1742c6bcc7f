import type { z } from 'zod';
import { readSession } from './session.ts';

/**
 * What somebody has written and the server does not have yet, kept in this browser so that neither a closed tab, a
 * crash nor an ended session loses it. It belongs to one person of one tenant and is forgotten once it is saved.
 */
export type UnsavedOwner = string | undefined;

/** Whose texts are kept: who is signed in now. They stay theirs when the session ends while they write. */
export const unsavedOwner = (): UnsavedOwner => {
  const session = readSession();
  return session && `unsaved.${session.tenant.subdomain}.${session.user.id}`;
};

const keyOf = (name: string, owner: UnsavedOwner): string | undefined => owner && `${owner}.${name}`;

/** What the browser had no room for, for as long as this page lives. */
const inMemory = new Map<string, string>();

/** Keeps a value under a name. False when the browser has no room for it or nobody is signed in. */
export const keepUnsaved = (name: string, value: unknown, owner = unsavedOwner()): boolean => {
  const key = keyOf(name, owner);
  if (!key) return false;
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
    inMemory.delete(key);
    return true;
  } catch {
    // Full, or switched off: it is not lost before the page is left, and the caller can say so.
    inMemory.set(key, text);
    return false;
  }
};

/** What was kept under a name, if it is what the caller expects. */
export const readUnsaved = <T>(name: string, schema: z.ZodType<T>, owner = unsavedOwner()): T | undefined => {
  const key = keyOf(name, owner);
  const text = key && (inMemory.get(key) ?? localStorage.getItem(key));
  if (!text) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/** Whether the browser had no room for what is kept under a name: it is lost with this page. */
export const isLostWithPage = (name: string): boolean => {
  const key = keyOf(name, unsavedOwner());
  return key !== undefined && inMemory.has(key);
};

export const forgetUnsaved = (name: string, owner = unsavedOwner()): void => {
  const key = keyOf(name, owner);
  if (!key) return;
  inMemory.delete(key);
  localStorage.removeItem(key);
};

/** The names that begin like this and under which something is kept, in the order of the alphabet. */
export const unsavedNames = (beginning: string): string[] => {
  const start = keyOf(beginning, unsavedOwner());
  if (!start) return [];
  const owner = start.length - beginning.length;
  const keys = new Set([...Object.keys(localStorage), ...inMemory.keys()]);
  return [...keys]
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(owner))
    .toSorted();
};
