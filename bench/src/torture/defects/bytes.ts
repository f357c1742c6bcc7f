import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/* Loaded before the server, and in each of its threads: the bytes of a file are never synced. */

Object.assign(fs, { fdatasyncSync: () => {} });
syncBuiltinESMExports();
