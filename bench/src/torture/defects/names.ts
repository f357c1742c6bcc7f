import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/* This file is loaded before the server and in each of its threads. Folders with new file names are then never synced. */

Object.assign(fs, { fsyncSync: () => {} });
syncBuiltinESMExports();
