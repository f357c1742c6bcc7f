import { join } from 'node:path';
import { backUp } from '#backup/back-up.ts';
import { openLocalBlobStore } from '#core/blobs/disk/local-blob-store.ts';

/*
 * A backup that kills its own process at the first progress message that begins with the given words: `killed-backup.ts
 * <database url> <data dir> <folder> <words>`. Other words let it finish.
 */

const [url = '', dataDir = '', folder = '', words = ''] = process.argv.slice(2);
const blobs = await openLocalBlobStore(join(dataDir, 'archive'));
await backUp({ url, blobs }, folder, {
  onProgress: (message) => {
    if (message.startsWith(words)) process.kill(process.pid, 'SIGKILL');
  },
  report: () => {},
});
await blobs.close();
