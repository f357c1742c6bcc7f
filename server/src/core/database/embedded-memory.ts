import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A database above this many bytes belongs to a large archive with several hundred thousand studies. */
const large = 1024 ** 3;

/**
 * Returns the shared buffers of the embedded PostgreSQL, by the size of its folder at the start. The buffers stay
 * small, because the system caches files too, and because process lists count the buffers for every connection. A large
 * archive needs more, because its lists read pages all over the tables (docs/decisions/0035).
 */
export const sharedBuffersFor = (data: string): '64MB' | '256MB' =>
  bytesIn(join(data, 'base')) > large ? '256MB' : '64MB';

const bytesIn = (folder: string): number => {
  let bytes = 0;
  for (const file of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    // A running server may add and remove files in this folder.
    if (file.isFile()) bytes += statSync(join(file.parentPath, file.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
};
