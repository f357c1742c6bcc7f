import { auditActions } from '@radwork/contract/audit-actions';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withLabels, withoutAudited } from '../build/without-audit.ts';

const contract = join(import.meta.dirname, '../../contract/src');
const codeOf = (file: string) => readFile(join(contract, file), 'utf8');

test('the build contains the labels of audit actions but not the nouns that declare them', async () => {
  const code = withLabels(await codeOf('audit-actions.ts'), auditActions);

  expect(code).toContain(JSON.stringify(auditActions));
  expect(code).toContain('export const auditActionWords');
  expect(code).toContain('import { translatedLabel }');
  expect(code).not.toMatch(/import .*(nouns|auditGroups)/);
});

test('the build stops when the code exports the labels of audit actions in another way', () => {
  expect(() => withLabels('export const labels = {};', {})).toThrow('See how /contract/src/audit-actions.ts exports');
});

test('the build removes only the audit declaration from each endpoint', async () => {
  const files = globSync('**/*.ts', { cwd: contract }).filter((file) => !/\.test\.ts$|^core\/endpoint\.ts$/.test(file));
  const codes = await Promise.all(files.map(codeOf));
  const withoutAuditing = codes.map(withoutAudited).join('\n');
  const count = (code: string, pattern: RegExp) => code.match(pattern)?.length ?? 0;

  expect(count(codes.join('\n'), /\baudited: /g)).toBeGreaterThan(250);
  expect(count(withoutAuditing, /\baudited: /g)).toBe(0);
  for (const pattern of [/\bcan: '/g, /\breply: /g, /\bbody: /g, /\bquery: /g]) {
    expect(count(withoutAuditing, pattern)).toBe(count(codes.join('\n'), pattern));
  }
});
