import { readSession } from './session.ts';

/**
 * Name in local storage for notes about uploads, so that an interrupted upload can resume after a reload. A note is a
 * fingerprint of an acknowledged file. It reveals no name or number. Sign-out deletes the notes.
 */
const storageName = 'uploaded-files';

/**
 * Maximum number of stored fingerprints, of 16 characters each. They fit into any local storage. The oldest are removed
 * first.
 */
const mostNotes = 60_000;

/** Traits that identify a file. */
export type FileTraits = { name: string; size: number; modified: number; sopInstanceUID: string };

/** Number of fingerprints to compute before pausing, so that the page can respond. */
const portion = 250;

/**
 * Returns fingerprints of files for the signed-in user: 96 bits of a SHA-256 over all traits, as 16 characters. Returns
 * none without HTTPS, which Web Cryptography requires. The files are then sent again, which does no harm.
 */
export const fingerprintsOf = async (files: readonly FileTraits[]): Promise<string[]> => {
  const session = readSession();
  if (!session || !globalThis.crypto?.subtle) return [];
  const whose = [session.tenant.subdomain, session.user.id];
  const fingerprints: string[] = [];
  for (let start = 0; start < files.length; start += portion) {
    const some = files.slice(start, start + portion);
    fingerprints.push(...(await Promise.all(some.map((traits) => fingerprintOf(whose, traits)))));
  }
  return fingerprints;
};

const fingerprintOf = async (whose: string[], { name, size, modified, sopInstanceUID }: FileTraits) => {
  const text = JSON.stringify([...whose, name, size, modified, sopInstanceUID]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest, 0, 12)));
};

const read = (): string => localStorage.getItem(storageName) ?? '';

/** Returns all stored fingerprints. */
export const uploadedFingerprints = (): Set<string> => new Set(read().match(/.{16}/g));

/** Records that the archive has acknowledged these files. */
export const rememberUploaded = (fingerprints: readonly string[]) => {
  try {
    localStorage.setItem(storageName, (read() + fingerprints.join('')).slice(-16 * mostNotes));
  } catch {
    // If the storage is full, the next upload sends all files again.
    localStorage.removeItem(storageName);
  }
};

export const forgetUploads = () => localStorage.removeItem(storageName);
