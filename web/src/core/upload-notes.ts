import { readSession } from './session.ts';

/**
 * What this browser remembers of uploads, so that one that broke off can go on after a reload: of every file that the
 * archive acknowledged a fingerprint, from which nobody can tell a name, a number or a path. They are forgotten when
 * somebody signs out.
 */
const storageName = 'uploaded-files';

/** The oldest are forgotten first: 16 characters each, this many fit into any local storage. */
const mostNotes = 60_000;

/** What makes a file this very file. */
export type FileTraits = { name: string; size: number; modified: number; sopInstanceUID: string };

/** So many fingerprints are made in one go; then the page gets a moment. */
const portion = 250;

/**
 * The files' fingerprints for whoever is signed in: of each 96 bits of a SHA-256 over all of its traits, as 16
 * characters. None where the browser has no cryptography, outside of https: then files are sent again, which never
 * harms.
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

/** All fingerprints that have been noted. */
export const notedFingerprints = (): Set<string> => new Set(read().match(/.{16}/g));

/** Remembers that these files have been acknowledged. */
export const noteStored = (fingerprints: readonly string[]) => {
  try {
    localStorage.setItem(storageName, (read() + fingerprints.join('')).slice(-16 * mostNotes));
  } catch {
    // Without room for notes the next upload sends everything again.
    localStorage.removeItem(storageName);
  }
};

/** Forgets all uploads of this browser. */
export const forgetUploads = () => localStorage.removeItem(storageName);
