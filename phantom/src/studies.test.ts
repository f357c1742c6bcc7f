import { readHeader } from '@radwork/dicom/header';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { simpleInstance } from './instance.ts';
import { patients } from './patients.ts';
import {
  binarySegmentation,
  computedRadiography,
  ctVolume,
  doseReport,
  enhancedCt,
  enhancedMr,
  fractionalSegmentation,
  magneticResonance,
  petCt,
  presentationStates,
  studyDocuments,
  structureSet,
  ultrasoundCine,
  type PhantomFile,
  type StudyOptions,
} from './studies.ts';

const optionsFor = (seed: string): StudyOptions => ({
  seed,
  patient: patients[0],
  studyDate: '20261110',
  accessionNumber: 'ACC-13',
  slices: 2,
  size: 64,
});

const kinds: Record<string, (options: StudyOptions) => Iterable<PhantomFile>> = {
  CT: ctVolume,
  'PET/CT': petCt,
  ultrasound: ultrasoundCine,
  radiograph: computedRadiography,
  MR: magneticResonance,
  'enhanced CT': (options) => [enhancedCt(options)],
  'enhanced MR': (options) => [enhancedMr(options)],
  'dose report': (options) => [doseReport(options)],
  documents: studyDocuments,
  'presentation states': presentationStates,
  segmentation: (options) => [binarySegmentation({ ...options, slices: 20 })],
  'fractional segmentation': (options) => [fractionalSegmentation(options)],
  'structure set': (options) => [structureSet({ ...options, slices: 20 })],
};
/** Kinds that belong to the study of a CT or of an MR. */
const ofAnother = [
  'enhanced CT',
  'enhanced MR',
  'dose report',
  'documents',
  'presentation states',
  'segmentation',
  'fractional segmentation',
  'structure set',
];
const everyKind = Object.entries(kinds);

const uidsOf = (files: Iterable<PhantomFile>): string[] =>
  [...files].flatMap(({ bytes }) => {
    const { studyInstanceUID, seriesInstanceUID, sopInstanceUID } = readHeader(bytes);
    return [studyInstanceUID, seriesInstanceUID, sopInstanceUID];
  });

/** One file of each series. */
const samplesOf = (files: Iterable<PhantomFile>): Buffer[] => [
  ...new Map([...files].map(({ name, bytes }) => [name.split('/')[0], bytes])).values(),
];

test.each(everyKind)('a study of kind %s made from the same seed has identical files', (_, study) => {
  const one = [...study(optionsFor('same'))];
  const other = [...study(optionsFor('same'))];

  expect(one.map(({ name }) => name)).toEqual(other.map(({ name }) => name));
  expect(one.every(({ bytes }, index) => other[index]?.bytes.equals(bytes))).toBe(true);
});

test.each(everyKind)('a study of kind %s made from another seed shares no UIDs', (_, study) => {
  const one = uidsOf(study(optionsFor('one')));
  const other = uidsOf(study(optionsFor('other')));

  expect(one.filter((uid) => other.includes(uid))).toEqual([]);
});

test('studies of different kinds share no UIDs, even with the same seed', () => {
  const studies = everyKind
    .filter(([kind]) => !ofAnother.includes(kind))
    .map(
      ([, study]) => new Set([...study(optionsFor('shared'))].map(({ bytes }) => readHeader(bytes).studyInstanceUID)),
    );

  expect(studies.map((uids) => uids.size)).toEqual(studies.map(() => 1));
  expect(new Set(studies.flatMap((uids) => [...uids])).size).toBe(studies.length);
});

const folder = mkdtempSync(join(tmpdir(), 'phantom-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The errors of a checking tool, and whether it accepted the file. */
const checked = (tool: string, bytes: Buffer): { isContent: boolean; errors: string[] } => {
  const path = join(folder, 'file.dcm');
  writeFileSync(path, bytes);
  const { status, stdout, stderr } = spawnSync(tool, [path], { encoding: 'utf8', maxBuffer: 1e8 });
  const errors = `${stdout}${stderr}`.split('\n').filter((line) => /^(Error|E:|W:)/.test(line));
  return { isContent: status === 0 && errors.length === 0, errors };
};
const isMissing = (tool: string): boolean => spawnSync(tool, ['--version']).error !== undefined;

const samples: [string, Buffer[]][] = [
  ...everyKind.map(([kind, study]): [string, Buffer[]] => [kind, samplesOf(study(optionsFor('valid')))]),
  ['simple instance', [simpleInstance()]],
];

test.skipIf(isMissing('dcmdump')).each(samples)(
  'dcmtk reads the %s without a warning (skipped without dcmdump)',
  (_, files) => {
    for (const bytes of files) expect(checked('dcmdump', bytes)).toEqual({ isContent: true, errors: [] });
  },
);

test.skipIf(isMissing('dciodvfy')).each(samples)(
  'the %s conforms to its SOP class (skipped without dciodvfy)',
  (_, files) => {
    for (const bytes of files) expect(checked('dciodvfy', bytes)).toEqual({ isContent: true, errors: [] });
  },
);
