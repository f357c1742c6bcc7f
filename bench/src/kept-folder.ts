import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where a bench has its data: a folder that it removes in the end, or one to be kept, which the next run finds filled. */
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
