import { join } from 'node:path';
import type { BlobStore } from '#core/blob-store.ts';
import type { Config } from '#core/config.ts';
import { openLocalBlobStore } from './local-blob-store.ts';

/** Opens the store of the archive that the settings name. */
export const openBlobStore = (config: Config): Promise<BlobStore> =>
  openLocalBlobStore(join(config.dataDir, 'archive'));
