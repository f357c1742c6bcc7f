import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The build writes this file (build/report-size.ts). */
const file = join(import.meta.dirname, '../../dist/first-load.json');

/** Limit in bytes for the compressed JavaScript that loads before the study list appears. */
const most = 350_000;

/** Packages of the viewer and the editor. The study list must not load them. */
const heavy = /^(@cornerstonejs|@kitware|@tiptap)\/|^(dcmjs|dicom-parser|prosemirror-.+|gl-matrix)$/;

const isBuilt = existsSync(file);
const unless = isBuilt ? '' : ' (skipped: the application has not been built)';

const firstLoad = (): { bytes: number; packages: string[] } => JSON.parse(readFileSync(file, 'utf8'));

test.skipIf(!isBuilt)(`the study list loads at most 350 kB of JavaScript${unless}`, () => {
  expect(firstLoad().bytes).toBeLessThanOrEqual(most);
});

test.skipIf(!isBuilt)(`the study list loads neither the viewer nor the editor${unless}`, () => {
  const { packages } = firstLoad();

  expect(packages).toContain('react');
  expect(packages.filter((name) => heavy.test(name))).toEqual([]);
});
