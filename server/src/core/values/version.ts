import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const manifest: { version: string } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../../package.json'), 'utf8'),
);

export const version = manifest.version;
