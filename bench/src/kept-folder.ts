import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The data folder of a bench: a temporary one that is removed at the end, or a kept one that the next run finds filled.
 */
export const openFolder = (name: string, kept: string | undefined) => {
  const folder = kept === undefined ? mkdtempSync(join(tmpdir(), `radwork-${name}-`)) : resolve(kept);
  mkdirSync(folder, { recursive: true });
  const mark = join(folder, 'filled');
  return {
    folder,
    isKept: kept !== undefined,
    isFilled: existsSync(mark),
    noteFilled: () => writeFileSync(mark, ''),
    close: () => {
      if (kept === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
};
