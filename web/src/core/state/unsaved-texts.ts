import type { z } from 'zod';
import { openText, sealText } from './sealed-text.ts';
import { readSession, textKeyOf } from './session.ts';

/**
 * Owner of an unsaved text, which this browser stores until the server has saved it. The text survives a closed tab, a
 * crash and an ended session. It belongs to one user of one tenant. It is encrypted with a key that the server gives
 * only to sessions of this user.
 */
export type UnsavedOwner = string | undefined;

/**
 * Returns the owner of new unsaved texts: the signed-in user. A text keeps its owner when the session ends during
 * writing.
 */
export const unsavedOwner = (): UnsavedOwner => {
  const session = readSession();
  return session && `unsaved.${session.tenant.subdomain}.${session.user.id}`;
};

const placeOf = (name: string, owner: UnsavedOwner): string | undefined => owner && `${owner}.${name}`;

/** Returns the key of an owner, whose ID ends with the user ID. Undefined until the server has sent the key. */
const keyOf = (owner: UnsavedOwner): string | undefined => owner && textKeyOf(owner.slice(owner.lastIndexOf('.') + 1));

/** Texts that the browser cannot store, for lack of space or key. They are lost when the page closes. */
const inMemory = new Map<string, string>();

/** Stores a value under a name. Returns false without space, key or session. */
export const saveUnsaved = (name: string, value: unknown, owner = unsavedOwner()): boolean => {
  const place = placeOf(name, owner);
  if (!place) return false;
  const text = JSON.stringify(value);
  const key = keyOf(owner);
  if (key && isStored(place, sealText(text, key, place))) {
    inMemory.delete(place);
    return true;
  }
  // Keeps the text in memory until the page closes. The caller can warn the user.
  inMemory.set(place, text);
  return false;
};

/** Stores an encrypted text. Returns false when the storage is full or disabled. */
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

/** Whether the text under a name is lost when the page closes, because the browser could not store it. */
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

/** Returns the names of unsaved texts that start with `beginning`, in alphabetical order. */
export const unsavedNames = (beginning: string): string[] => {
  const owner = unsavedOwner();
  if (!owner) return [];
  const places = new Set([...Object.keys(localStorage), ...inMemory.keys()]);
  return [...places]
    .filter((place) => place.startsWith(`${owner}.${beginning}`))
    .map((place) => place.slice(owner.length + 1))
    .toSorted();
};
