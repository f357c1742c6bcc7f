import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/* Loaded before the server and in each of its threads. Folders with new file names are never synced. */

Object.assign(fs, { fsyncSync: () => {} });
syncBuiltinESMExports();
