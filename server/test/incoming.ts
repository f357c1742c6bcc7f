import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The files that have begun to arrive, and are neither kept nor let go of. */
export const incomingFiles = ({ dataDir }: { dataDir: string }): Promise<string[]> =>
  readdir(join(dataDir, 'archive', 'incoming'));
