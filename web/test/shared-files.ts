import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Finds a folder of real files, `shared/NAME` beside the repository or above. Undefined if it is not present; its tests
 * are skipped then.
 */
export const sharedFolder = (name: string): string | undefined => {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const shared = join(folder, 'shared', name);
    if (existsSync(shared)) return shared;
  }
  return undefined;
};
