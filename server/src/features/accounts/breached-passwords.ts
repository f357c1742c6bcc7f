import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/** A line is a SHA-1 in hexadecimal, with or without how often it was seen behind a colon. */
const longestLine = 64;

/**
 * Whether a password is in the operator's file of breached ones: SHA-1 in hexadecimal, one to a line and in order, as
 * the list of Have I Been Pwned comes. It may have any size, because it is searched and not read; no password leaves
 * this server for it.
 */
export const isBreached = async (path: string, password: string): Promise<boolean> => {
  // It is how the list is made, and guards nothing of ours.
  const wanted = createHash('sha1').update(password).digest('hex').toUpperCase();
  const file = await open(path, 'r');
  try {
    return await isLineIn(file, wanted, (await file.stat()).size);
  } finally {
    await file.close();
  }
};

/** Halves the file until the place is found where the line would begin. */
const isLineIn = async (file: FileHandle, wanted: string, size: number): Promise<boolean> => {
  let [from, to] = [0, size];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const line = await lineFrom(file, middle);
    if (line.text.startsWith(wanted)) return true;
    if (line.text === '' || line.text > wanted) to = middle;
    else from = line.end;
  }
  return false;
};

/** The first line that begins at a place or behind it, and where it ends; empty at the end of the file. */
const lineFrom = async (file: FileHandle, place: number): Promise<{ text: string; end: number }> => {
  // From the byte before: a line that begins exactly here counts.
  const start = Math.max(place - 1, 0);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2 * longestLine), 0, 2 * longestLine, start);
  const bytes = buffer.subarray(0, bytesRead);
  const begin = place === 0 ? 0 : bytes.indexOf('\n') + 1;
  if (place !== 0 && begin === 0) return { text: '', end: place };
  const feed = bytes.indexOf('\n', begin);
  const end = feed === -1 ? bytesRead : feed;
  return { text: bytes.toString('latin1', begin, end).trim().toUpperCase(), end: start + end + 1 };
};
