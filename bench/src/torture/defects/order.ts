import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/*
 * A deliberate defect, loaded before the server and in each of its threads. In the threads, files are renamed after
 * their rows are committed.
 */

const { renameSync } = fs;
const renameLater = (from: string, to: string) => void setTimeout(() => renameSync(from, to), 500);
if (!isMainThread) Object.assign(fs, { renameSync: renameLater });
syncBuiltinESMExports();
