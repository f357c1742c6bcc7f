import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const linesOf = (name: string) => readFileSync(resolve(import.meta.dirname, '../..', name), 'utf8').split('\n');

test('the settings of whoever builds the image come neither into it nor into git', () => {
  expect(linesOf('.dockerignore')).toContain('**/.env*');
  expect(linesOf('.gitignore')).toContain('.env*');
  const copiedFromBuild = linesOf('deploy/Dockerfile').filter((line) => line.startsWith('COPY --from=build'));
  expect(copiedFromBuild.filter((line) => /\/app\/? /.test(line) || line.includes('deploy'))).toEqual([]);
});
