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

/** Where the text of this name is, and what opens it. */
const slotOf = (name: string, owner: UnsavedOwner) => {
  const key = owner && textKeyOf(owner.slice(owner.lastIndexOf('.') + 1));
  return key ? { place: `${owner}.${name}`, key } : undefined;
};

/** What the browser had no room for, for as long as this page lives. */
const inMemory = new Map<string, string>();

/** Keeps a value under a name. False when the browser has no room for it, or nobody is signed in whose key is known. */
export const keepUnsaved = (name: string, value: unknown, owner = unsavedOwner()): boolean => {
  const slot = slotOf(name, owner);
  if (!slot) return false;
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(slot.place, sealText(text, slot.key, slot.place));
    inMemory.delete(slot.place);
    return true;
  } catch {
    // Full, or switched off: it is not lost before the page is left, and the caller can say so.
    inMemory.set(slot.place, text);
    return false;
  }
};

/** What was kept under a name, if it is what the caller expects. */
export const readUnsaved = <T>(name: string, schema: z.ZodType<T>, owner = unsavedOwner()): T | undefined => {
  const slot = slotOf(name, owner);
  const text = slot && (inMemory.get(slot.place) ?? opened(slot));
  if (!text) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

const opened = ({ place, key }: { place: string; key: string }): string | undefined => {
  const sealed = localStorage.getItem(place);
  return sealed === null ? undefined : openText(sealed, key, place);
};

/** Whether the browser had no room for what is kept under a name: it is lost with this page. */
export const isLostWithPage = (name: string): boolean => {
  const slot = slotOf(name, unsavedOwner());
  return slot !== undefined && inMemory.has(slot.place);
};

export const forgetUnsaved = (name: string, owner = unsavedOwner()): void => {
  const slot = slotOf(name, owner);
  if (!slot) return;
  inMemory.delete(slot.place);
  localStorage.removeItem(slot.place);
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
