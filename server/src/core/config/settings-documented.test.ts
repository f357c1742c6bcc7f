import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { environment } from './environment.ts';

const read = (file: string) => readFile(resolve(import.meta.dirname, '../../../..', file), 'utf8');
const settings = Object.keys(environment.shape);

test.each([
  ['docs/administration/settings.md', /^\| `([A-Z_]+)`/gm],
  ['.env.example', /^#([A-Z_]+)=/gm],
])('%s lists every setting once', async (file, line) => {
  const documentedNames = [...(await read(file)).matchAll(line)].map(([, name]) => name);

  expect(new Set(documentedNames)).toEqual(new Set(settings));
  expect(documentedNames).toHaveLength(settings.length);
});
