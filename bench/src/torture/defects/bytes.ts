import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/* This file is loaded before the server and in each of its threads. File bytes are then never synced. */

Object.assign(fs, { fdatasyncSync: () => {} });
syncBuiltinESMExports();
