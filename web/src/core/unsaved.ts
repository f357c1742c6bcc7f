import type { z } from 'zod';
import { openText, sealText } from './sealed-text.ts';
import { readSession, textKeyOf } from './session.ts';

/**
 * What somebody has written and the server does not have yet, kept in this browser so that neither a closed tab, a
 * crash nor an ended session loses it. It belongs to one person of one tenant, is forgotten once it is saved, and lies
 * there sealed with a key that the server gives to their sessions alone: whoever sits down after them reads nothing.
 */
export type UnsavedOwner = string | undefined;

/** Whose texts are kept: who is signed in now. They stay theirs when the session ends while they write. */
export const unsavedOwner = (): UnsavedOwner => {
  const session = readSession();
  return session && `unsaved.${session.tenant.subdomain}.${session.user.id}`;
};

const placeOf = (name: string, owner: UnsavedOwner): string | undefined => owner && `${owner}.${name}`;

/** What seals and opens the texts of an owner, whose id ends with their user's; undefined where no server has told it. */
const keyOf = (owner: UnsavedOwner): string | undefined => owner && textKeyOf(owner.slice(owner.lastIndexOf('.') + 1));

/** What the browser had no room for, or no key, for as long as this page lives. */
const inMemory = new Map<string, string>();

/** Keeps a value under a name. False when the browser has no room for it or no key, and when nobody is signed in. */
export const keepUnsaved = (name: string, value: unknown, owner = unsavedOwner()): boolean => {
  const place = placeOf(name, owner);
  if (!place) return false;
  const text = JSON.stringify(value);
  const key = keyOf(owner);
  if (key && isStored(place, sealText(text, key, place))) {
    inMemory.delete(place);
    return true;
  }
  // It is not lost before the page is left, and the caller can say so.
  inMemory.set(place, text);
  return false;
};

/** False where the storage is full, or switched off. */
const isStored = (place: string, sealed: string): boolean => {
  try {
    localStorage.setItem(place, sealed);
    return true;
  } catch {
    return false;
  }
};

/** What was kept under a name, if it is what the caller expects. */
export const readUnsaved = <T>(name: string, schema: z.ZodType<T>, owner = unsavedOwner()): T | undefined => {
  const place = placeOf(name, owner);
  const text = place && (inMemory.get(place) ?? opened(place, keyOf(owner)));
  if (!text) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

const opened = (place: string, key: string | undefined): string | undefined => {
  const sealed = localStorage.getItem(place);
  return sealed === null || key === undefined ? undefined : openText(sealed, key, place);
};

/** Whether the browser had no room, or no key, for what is kept under a name: it is lost with this page. */
export const isLostWithPage = (name: string): boolean => {
  const place = placeOf(name, unsavedOwner());
  return place !== undefined && inMemory.has(place);
};

export const forgetUnsaved = (name: string, owner = unsavedOwner()): void => {
  const place = placeOf(name, owner);
  if (!place) return;
  inMemory.delete(place);
  localStorage.removeItem(place);
};

/** The names that begin like this and under which something is kept, in the order of the alphabet. */
export const unsavedNames = (beginning: string): string[] => {
  const owner = unsavedOwner();
  if (!owner) return [];
  const places = new Set([...Object.keys(localStorage), ...inMemory.keys()]);
  return [...places]
    .filter((place) => place.startsWith(`${owner}.${beginning}`))
    .map((place) => place.slice(owner.length + 1))
    .toSorted();
};
