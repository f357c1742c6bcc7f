import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Written by the build (build/report-size.ts). */
const file = join(import.meta.dirname, '../../dist/first-load.json');

/** Compressed bytes of JavaScript before the study list shows. */
const most = 350_000;

/** Whoever opens no study and writes no report does not fetch what those need. */
const heavy = /^(@cornerstonejs|@kitware|@tiptap)\/|^(dcmjs|dicom-parser|prosemirror-.+|gl-matrix)$/;

const isBuilt = existsSync(file);
const unless = isBuilt ? '' : ' (skipped: the application has not been built)';

const firstLoad = (): { bytes: number; packages: string[] } => JSON.parse(readFileSync(file, 'utf8'));

test.skipIf(!isBuilt)(`the study list transfers no more than 350 kB of JavaScript${unless}`, () => {
  expect(firstLoad().bytes).toBeLessThanOrEqual(most);
});

test.skipIf(!isBuilt)(`neither the viewer nor the editor is in what the study list transfers${unless}`, () => {
  const { packages } = firstLoad();

  expect(packages).toContain('react');
  expect(packages.filter((name) => heavy.test(name))).toEqual([]);
});
