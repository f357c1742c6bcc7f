import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The build writes this file (build/report-size.ts). */
const file = join(import.meta.dirname, '../../dist/first-load.json');

/** Limits for the compressed JavaScript that loads before a screen is usable, in kB (1,000 bytes). */
const limits = [
  { screen: 'study list', most: 250 },
  { screen: 'study page', most: 600 },
  { screen: 'report editor', most: 700 },
  { screen: 'viewer', most: 1065 },
];

/** Packages of the viewer and the editor. The study list must not load them. */
const heavy = /^(@cornerstonejs|@kitware|@tiptap)\/|^(dcmjs|dicom-parser|prosemirror-.+|gl-matrix)$/;

/** Most files of the list. A browser without HTTP/2 loads six at a time, and each costs as much time as 20 kB. */
const mostFiles = 12;

const isBuilt = existsSync(file);
const unless = isBuilt ? '' : ' (skipped: the application has not been built)';

type Load = { name: string; bytes: number; files: string[]; packages: string[] };

const firstLoad = (screen: string): Load | undefined =>
  (JSON.parse(readFileSync(file, 'utf8')) as Load[]).find(({ name }) => name === screen);

test.skipIf(!isBuilt).for(limits)(`the $screen loads at most $most kB of JavaScript${unless}`, ({ screen, most }) => {
  expect(firstLoad(screen)?.bytes).toBeLessThanOrEqual(most * 1000);
});

test.skipIf(!isBuilt)(`the study list loads few files, and neither the viewer nor the editor${unless}`, () => {
  const { files = [], packages = [] } = firstLoad('study list') ?? {};

  expect(files.length).toBeLessThanOrEqual(mostFiles);
  expect(packages).toContain('react');
  expect(packages.filter((name) => heavy.test(name))).toEqual([]);
});
