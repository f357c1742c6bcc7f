import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Lists files that have begun to arrive and are neither stored nor discarded. */
export const incomingFiles = ({ dataDir }: { dataDir: string }): Promise<string[]> =>
  readdir(join(dataDir, 'archive', 'incoming'));
