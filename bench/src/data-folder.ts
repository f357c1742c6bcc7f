import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The data folder of a bench. It is either temporary and removed at the end, or kept, and the next run then reuses its
 * data.
 */
export const openDataFolder = (name: string, permanentPath: string | undefined) => {
  const folder = permanentPath === undefined ? mkdtempSync(join(tmpdir(), `radwork-${name}-`)) : resolve(permanentPath);
  mkdirSync(folder, { recursive: true });
  const mark = join(folder, 'filled');
  return {
    folder,
    isKept: permanentPath !== undefined,
    isFilled: existsSync(mark),
    noteFilled: () => writeFileSync(mark, ''),
    close: () => {
      if (permanentPath === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
};
