import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { audit, startRegistry } from '#test/npm-registry.ts';

const root = resolve(import.meta.dirname, '../..');
const lock = z
  .object({
    packages: z.record(z.string(), z.object({ resolved: z.string().optional() })),
  })
  .parse(JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8')));

const faultOf = (severity: string) => ({
  fastify: [
    {
      id: 1,
      url: 'https://example.org/1',
      title: 'A planted fault',
      severity,
      vulnerable_versions: '>=0',
    },
  ],
});

test('CI fails if a dependency has a known vulnerability of high severity, and names the vulnerability', async () => {
  const { code, complaint } = await audit(await startRegistry(faultOf('high')));

  expect(code).toBe(1);
  expect(complaint).toContain('high: fastify *: A planted fault https://example.org/1');
});

test('a vulnerability of lower severity is counted and does not fail CI', async () => {
  const { code, said: output } = await audit(await startRegistry(faultOf('moderate')));

  expect(code).toBe(0);
  expect(output).toContain('0 critical, 0 high, 1 moderate');
});

test('a registry without advisories is reported and does not fail CI', async () => {
  const { code, said: output } = await audit(await startRegistry(undefined));

  expect(code).toBe(0);
  expect(output).toContain('Could NOT check the dependencies for known vulnerabilities: 405');
});

test('dependencies run no install scripts and come only from the registry', () => {
  const { allowScripts } = z
    .object({ allowScripts: z.record(z.string(), z.boolean()) })
    .parse(JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')));
  const packages = Object.values(lock.packages);

  expect(Object.values(allowScripts)).not.toContain(true);
  // In the lockfile, packages of the npm registry have no URL, and packages of this repository have a folder name.
  expect(packages.flatMap(({ resolved }) => (resolved?.includes(':') ? [resolved] : []))).toEqual([]);
});
