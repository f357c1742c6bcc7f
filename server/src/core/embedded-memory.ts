import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A database of more bytes than this is a large archive's: several hundred thousand studies. */
const large = 1024 ** 3;

/**
 * The memory that the embedded PostgreSQL keeps pages in, for what its folder holds when it starts. The system keeps what
 * is read besides, and every connection that comes across it counts this memory as its own: so there is little of it,
 * until an archive has grown so large that its lists are read from all over (docs/decisions/0035).
 */
export const sharedBuffersFor = (data: string): '64MB' | '256MB' =>
  bytesIn(join(data, 'base')) > large ? '256MB' : '64MB';

const bytesIn = (folder: string): number => {
  let bytes = 0;
  for (const file of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    // Another server may be at work there, and its files come and go.
    if (file.isFile()) bytes += statSync(join(file.parentPath, file.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
};
