import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/* A deliberate defect, loaded before the server and in each of its threads: file bytes are never synced. */

Object.assign(fs, { fdatasyncSync: () => {} });
syncBuiltinESMExports();
