import type { z } from 'zod';
import { openText, sealText } from './sealed-text.ts';
import { readSession, textKeyOf } from './session.ts';

/**
 * Text that the server has not saved yet, kept in this browser. It survives a closed tab, a crash and an ended session.
 * It belongs to one user of one tenant and is deleted once saved. It is sealed with a key that the server gives only to
 * sessions of this user.
 */
export type UnsavedOwner = string | undefined;

/** Owner of unsaved texts: the signed-in user. A text keeps its owner when the session ends while they write. */
export const unsavedOwner = (): UnsavedOwner => {
  const session = readSession();
  return session && `unsaved.${session.tenant.subdomain}.${session.user.id}`;
};

const placeOf = (name: string, owner: UnsavedOwner): string | undefined => owner && `${owner}.${name}`;

/** Key of an owner, whose ID ends with the user ID. Undefined until the server has sent it. */
const keyOf = (owner: UnsavedOwner): string | undefined => owner && textKeyOf(owner.slice(owner.lastIndexOf('.') + 1));

/** Texts for which the browser has no room or no key. They live as long as this page. */
const inMemory = new Map<string, string>();

/** Stores a value under a name. Returns false without room, without a key and without a session. */
export const saveUnsaved = (name: string, value: unknown, owner = unsavedOwner()): boolean => {
  const place = placeOf(name, owner);
  if (!place) return false;
  const text = JSON.stringify(value);
  const key = keyOf(owner);
  if (key && isStored(place, sealText(text, key, place))) {
    inMemory.delete(place);
    return true;
  }
  // The text lives until the page closes, and the caller can warn.
  inMemory.set(place, text);
  return false;
};

/** Returns false when storage is full or disabled. */
const isStored = (place: string, sealed: string): boolean => {
  try {
    localStorage.setItem(place, sealed);
    return true;
  } catch {
    return false;
  }
};

/** Reads the value under a name, if it matches the schema. */
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

/** Checks whether the text under a name is lost with this page, for lack of room or key. */
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

/** Names of unsaved texts that start with `beginning`, in alphabetical order. */
export const unsavedNames = (beginning: string): string[] => {
  const owner = unsavedOwner();
  if (!owner) return [];
  const places = new Set([...Object.keys(localStorage), ...inMemory.keys()]);
  return [...places]
    .filter((place) => place.startsWith(`${owner}.${beginning}`))
    .map((place) => place.slice(owner.length + 1))
    .toSorted();
};
