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

/**
 * The file's fingerprint for whoever is signed in: 96 bits of a SHA-256 over all of its traits, as 16 characters.
 * Undefined where the browser has no cryptography, outside of https: then files are sent again, which never harms.
 */
export const fingerprintOf = async (traits: FileTraits): Promise<string | undefined> => {
  const session = readSession();
  if (!session || !globalThis.crypto?.subtle) return undefined;
  const { name, size, modified, sopInstanceUID } = traits;
  const whose = [session.tenant.subdomain, session.user.id];
  const text = JSON.stringify([...whose, name, size, modified, sopInstanceUID]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest, 0, 12)));
};

const read = (): string[] => localStorage.getItem(storageName)?.match(/.{16}/g) ?? [];

/** Those of the fingerprints that have been noted before. */
export const notedAmong = (fingerprints: readonly string[]): Set<string> => {
  const noted = new Set(read());
  return new Set(fingerprints.filter((fingerprint) => noted.has(fingerprint)));
};

/** Remembers that these files have been acknowledged. */
export const noteStored = (fingerprints: readonly string[]) => {
  const all = [...new Set([...read(), ...fingerprints])].slice(-mostNotes);
  try {
    localStorage.setItem(storageName, all.join(''));
  } catch {
    // Without room for notes the next upload sends everything again.
    localStorage.removeItem(storageName);
  }
};

/** Forgets all uploads of this browser. */
export const forgetUploads = () => localStorage.removeItem(storageName);
