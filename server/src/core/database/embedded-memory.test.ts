import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sharedBuffersFor } from './embedded-memory.ts';

test('the embedded database gets more memory if all its files together are large', () => {
  const data = mkdtempSync(join(tmpdir(), 'radwork-memory-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  // Sparse files take no disk space.
  for (const name of ['1', '2']) {
    mkdirSync(join(data, 'base', name), { recursive: true });
    writeFileSync(join(data, 'base', name, '16384'), '');
    truncateSync(join(data, 'base', name, '16384'), 500 * 1024 ** 2);
  }

  expect(sharedBuffersFor(data)).toBe('64MB');
  truncateSync(join(data, 'base', '2', '16384'), 600 * 1024 ** 2);
  expect(sharedBuffersFor(data)).toBe('256MB');
});
