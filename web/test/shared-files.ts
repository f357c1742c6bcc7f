import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Finds a folder of real files: `shared/NAME` next to the repository or in a folder above it. Undefined if the folder
 * is not present; its tests are then skipped.
 */
export const sharedFolder = (name: string): string | undefined => {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const shared = join(folder, 'shared', name);
    if (existsSync(shared)) return shared;
  }
  return undefined;
};
