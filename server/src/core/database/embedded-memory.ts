import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A database above this many bytes belongs to a large archive with several hundred thousand studies. */
const large = 1024 ** 3;

/**
 * Returns the shared buffers of the embedded PostgreSQL for the size of its folder at the start. They stay small,
 * because the system also caches files and process lists count them for each connection. A large archive needs more,
 * because its lists read pages from everywhere (docs/decisions/0035).
 */
export const sharedBuffersFor = (data: string): '64MB' | '256MB' =>
  bytesIn(join(data, 'base')) > large ? '256MB' : '64MB';

const bytesIn = (folder: string): number => {
  let bytes = 0;
  for (const file of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    // Another server may be adding and removing files there.
    if (file.isFile()) bytes += statSync(join(file.parentPath, file.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
};
