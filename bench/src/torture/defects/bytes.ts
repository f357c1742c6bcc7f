import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/* Loaded before the server and in each of its threads. File bytes are never synced. */

Object.assign(fs, { fdatasyncSync: () => {} });
syncBuiltinESMExports();
