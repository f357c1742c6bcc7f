import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/* Loaded before the server, and in each of its threads: the folders in which files get their names are never synced. */

Object.assign(fs, { fsyncSync: () => {} });
syncBuiltinESMExports();
