import { readSession } from './session.ts';

/**
 * Notes of this browser about uploads, so that an interrupted one can resume after a reload. It stores one fingerprint
 * per acknowledged file, which reveals no name, number or path. Sign-out deletes them.
 */
const storageName = 'uploaded-files';

/** Most fingerprints stored, of 16 characters each. They fit into any local storage; the oldest go first. */
const mostNotes = 60_000;

/** Traits that identify a file. */
export type FileTraits = { name: string; size: number; modified: number; sopInstanceUID: string };

/** Fingerprints made at once. Then the page gets time to respond. */
const portion = 250;

/**
 * Fingerprints of files for the signed-in user: 96 bits of a SHA-256 over all traits, as 16 characters. Empty without
 * cryptography (outside HTTPS): files are then sent again, which is harmless.
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

/** Returns all noted fingerprints. */
export const uploadedFingerprints = (): Set<string> => new Set(read().match(/.{16}/g));

/** Notes that the archive has acknowledged these files. */
export const rememberUploaded = (fingerprints: readonly string[]) => {
  try {
    localStorage.setItem(storageName, (read() + fingerprints.join('')).slice(-16 * mostNotes));
  } catch {
    // Without room for notes, the next upload sends everything again.
    localStorage.removeItem(storageName);
  }
};

export const forgetUploads = () => localStorage.removeItem(storageName);
