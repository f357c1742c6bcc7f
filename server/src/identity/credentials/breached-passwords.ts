import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * Maximum length of a line. A line contains a SHA-1 in hexadecimal digits, and may continue with a colon and a count.
 */
const longestLine = 64;

/**
 * Returns whether the operator's file of breached passwords contains a password. The file is sorted and has one SHA-1
 * in hexadecimal digits per line, like the list of Have I Been Pwned. It may have any size, because it is searched and
 * not loaded. The password does not leave this server.
 */
export const isBreached = async (path: string, password: string): Promise<boolean> => {
  // The list contains SHA-1 hashes. SHA-1 does not protect anything here.
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase();
  const file = await open(path, 'r');
  try {
    return await isLineIn(file, hash, (await file.stat()).size);
  } finally {
    await file.close();
  }
};

/** A binary search for the position at which the line would begin. */
const isLineIn = async (file: FileHandle, hash: string, size: number): Promise<boolean> => {
  let [from, to] = [0, size];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const line = await lineFrom(file, middle);
    if (line.text.startsWith(hash)) return true;
    if (line.text === '' || line.text > hash) to = middle;
    else from = line.end;
  }
  return false;
};

/**
 * Returns the first line that begins at `place` or later, and the position at which it ends. The line is empty at the
 * end of the file.
 */
const lineFrom = async (file: FileHandle, place: number): Promise<{ text: string; end: number }> => {
  // Starts one byte earlier, so that a line that begins at `place` is found.
  const start = Math.max(place - 1, 0);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2 * longestLine), 0, 2 * longestLine, start);
  const bytes = buffer.subarray(0, bytesRead);
  const begin = place === 0 ? 0 : bytes.indexOf('\n') + 1;
  if (place !== 0 && begin === 0) return { text: '', end: place };
  const feed = bytes.indexOf('\n', begin);
  const end = feed === -1 ? bytesRead : feed;
  return { text: bytes.toString('latin1', begin, end).trim().toUpperCase(), end: start + end + 1 };
};
