import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DicomJson, itemsOf, numberOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import { readHeader } from '@radwork/dicom/header';
import { ctVolume } from '@radwork/phantom/studies';
import { ctTruth, pixelOf, type Point, pointOf } from '@radwork/phantom/known-values';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { hasDcmtk } from '#test/dcmtk.ts';
import type { Measured } from './measurement-group.ts';
import { measurementReport } from './measurement-report.ts';

const hasDciodvfy = spawnSync('dciodvfy', ['-h']).error === undefined;

const study = {
  seed: 'measurement report',
  patient: { PatientName: 'Report^Rita', PatientID: 'SR-1', PatientBirthDate: '19610203', PatientSex: 'F' },
  studyDate: '20261113',
  accessionNumber: 'SR-1',
  slices: 5,
  size: 128,
} as const;
const slice = 2;
const plane = ctTruth.planes(study)[slice];
const file = [...ctVolume(study)][slice];
if (!plane || !file) throw new Error('The phantom has no such slice');
const image = readHeader(file.bytes);

const at = (column: number, row: number): [number, number, number] => {
  const [x, y, z] = pointOf(row, column, plane);
  return [x, y, z];
};

const measured = (one: Partial<Measured> & Pick<Measured, 'tool' | 'points' | 'values'>): Measured => ({
  id: newId(),
  seriesInstanceUID: image.seriesInstanceUID,
  sopInstanceUID: image.sopInstanceUID,
  frame: 1,
  frameOfReferenceUID: '2.25.77',
  plane: null,
  label: '',
  revision: 1,
  author: { username: 'weiss', name: 'Dr Anna Weiß' },
  createdDate: '2026-11-22T10:00:00Z',
  updatedDate: '2026-11-22T10:15:30.123Z',
  ...one,
});

const about = {
  PatientName: 'Report^Rita',
  PatientID: 'SR-1',
  PatientBirthDate: '19610203',
  PatientSex: 'F',
  StudyInstanceUID: image.studyInstanceUID,
  StudyDate: '20261113',
  StudyTime: '093000',
  StudyID: '1',
  AccessionNumber: 'SR-1',
  ReferringPhysicianName: [],
};

const images = new Map([
  [
    image.sopInstanceUID,
    {
      sopClassUid: image.sopClassUID,
      seriesInstanceUid: image.seriesInstanceUID,
      modality: 'CT',
      header: image.dataset,
    },
  ],
]);

const modalities = new Map([
  [image.seriesInstanceUID, 'CT'],
  ['2.25.500', 'MR'],
]);

const reportOf = (...measurements: Measured[]): Buffer =>
  measurementReport(
    {
      about,
      studyInstanceUid: image.studyInstanceUID,
      measurements,
      images,
      modalities,
      institution: 'Clinic',
      softwareVersion: '1',
    },
    {
      sopInstanceUid: '2.25.1',
      seriesInstanceUid: '2.25.2',
      instanceNumber: 2,
      predecessor: { sopClassUid: '1.2.840.10008.5.1.4.1.1.88.33', sopInstanceUid: '2.25.3' },
      written: { date: '20261122', time: '101530' },
    },
  );

const nameOf = (item: DicomJson) => textOf(itemsOf(item, 'ConceptNameCodeSequence')[0] ?? {}, 'CodeMeaning') ?? '';
const childrenOf = (item: DicomJson, name?: string) =>
  itemsOf(item, 'ContentSequence').filter((child) => name === undefined || nameOf(child) === name);

const groupsOf = (report: Buffer): DicomJson[] =>
  childrenOf(readHeader(report).dataset, 'Imaging Measurements').flatMap((child) => childrenOf(child));

const shapesIn = (item: DicomJson): { type: string | undefined; points: number[] }[] =>
  childrenOf(item).flatMap((child) => [
    ...(textOf(child, 'GraphicType')
      ? [{ type: textOf(child, 'GraphicType'), points: valuesOf(child, 'GraphicData').map(Number) }]
      : []),
    ...shapesIn(child),
  ]);

const numbersIn = (group: DicomJson) =>
  childrenOf(group)
    .filter((child) => textOf(child, 'ValueType') === 'NUM')
    .map((child) => {
      const [value = {}] = itemsOf(child, 'MeasuredValueSequence');
      const [unit = {}] = itemsOf(value, 'MeasurementUnitsCodeSequence');
      return [nameOf(child), numberOf(value, 'FloatingPointValue'), textOf(unit, 'CodeValue')];
    });

const length = (more: Partial<Measured> = {}) =>
  measured({
    tool: 'LENGTH',
    points: [at(10, 20), at(40, 20)],
    values: [{ quantity: 'LENGTH', value: 93.75, unit: 'mm' }],
    ...more,
  });

const ellipse = measured({
  tool: 'ELLIPSE',
  points: [at(50, 40), at(50, 48), at(30, 44), at(70, 44)],
  values: [
    { quantity: 'AREA', value: 2454.4, unit: 'mm²' },
    { quantity: 'MEAN', value: -20.25, unit: 'HU' },
  ],
});

/** One measurement of each kind on the image. */
const everything = (): Measured[] => [
  length({ label: 'Nodule', values: [{ quantity: 'LENGTH', value: 93.75, unit: 'mm', scale: 'DETECTOR' }] }),
  measured({
    tool: 'BIDIRECTIONAL',
    points: [at(10, 20), at(20, 20), at(15, 0), at(15, 40)],
    values: [
      { quantity: 'LENGTH', value: 125, unit: 'mm' },
      { quantity: 'SHORT_AXIS', value: 31.25, unit: 'mm' },
    ],
  }),
  measured({
    tool: 'ANGLE',
    points: [at(1, 1), at(9, 1), at(9, 9)],
    values: [{ quantity: 'ANGLE', value: 90, unit: '°' }],
  }),
  measured({
    tool: 'COBB_ANGLE',
    points: [at(1, 1), at(9, 1), at(9, 9), at(9, 20)],
    values: [{ quantity: 'ANGLE', value: 90, unit: '°' }],
    author: { username: 'otto', name: 'Dr Otto' },
  }),
  ellipse,
  measured({
    tool: 'RECTANGLE',
    points: [at(10, 20), at(30, 20), at(10, 50), at(30, 50)],
    values: [{ quantity: 'AREA', value: 600, unit: 'px²' }],
  }),
  measured({ tool: 'FREEHAND', points: [at(1, 1), at(9, 1), at(9, 9)], values: [] }),
  measured({ tool: 'PROBE', points: [at(5, 6)], values: [{ quantity: 'VALUE', value: 2.5, unit: 'SUV' }] }),
  measured({ tool: 'ARROW', points: [at(7, 8), at(20, 20)], values: [], label: 'here' }),
  measured({ tool: 'TEXT', points: [at(7, 8)], values: [], label: 'mind this' }),
];
const onPlane = {
  sopInstanceUID: null,
  frame: null,
  plane: { normal: [0, 0, -1], up: [0, -1, 0] },
} satisfies Partial<Measured>;

/** Measurements on a plane through a volume, made with three tools. */
const onPlanes = (): Measured[] => [
  measured({
    tool: 'ANGLE',
    points: [
      [10, 0, 5],
      [0, 0, 5],
      [0, 10, 5],
    ],
    values: [{ quantity: 'ANGLE', value: 90, unit: '°' }],
    ...onPlane,
  }),
  measured({
    tool: 'ELLIPSE',
    points: [
      [0, -5, 5],
      [0, 5, 5],
      [-10, 0, 5],
      [10, 0, 5],
    ],
    values: [
      { quantity: 'AREA', value: 157.08, unit: 'mm²' },
      { quantity: 'MEAN', value: 300, unit: 'HU' },
    ],
    ...onPlane,
  }),
  measured({
    tool: 'PROBE',
    points: [[1, 2, 5]],
    values: [{ quantity: 'VALUE', value: 41, unit: 'HU' }],
    ...onPlane,
  }),
];
const inThePatient = (): Measured[] => [
  length(onPlane),
  measured({
    tool: 'SPHERE',
    points: [
      [10, 20, 30],
      [10, 24, 30],
    ],
    values: [{ quantity: 'PEAK', value: 4.5, unit: 'SUV' }],
  }),
];

const writeTemporary = (report: Buffer): string => {
  const folder = mkdtempSync(join(tmpdir(), 'measurement-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'report.dcm');
  writeFileSync(path, report);
  return path;
};

test('writes a line in image columns and rows, with the ends known from the phantom', () => {
  const sphere = ctTruth.spheres[0]?.centre ?? [0, 0, 0];
  const inPlane: Point = [sphere[0], sphere[1], plane.position[2]];
  const { column, row } = pixelOf(inPlane, plane);

  const [group = {}] = groupsOf(reportOf(length({ points: [[...inPlane], at(40, 20)] })));

  const [line] = shapesIn(group);
  expect(line?.type).toBe('POLYLINE');
  expect(line?.points).toHaveLength(4);
  for (const [index, expected] of [column + 0.5, row + 0.5, 40.5, 20.5].entries()) {
    expect(line?.points[index]).toBeCloseTo(expected, 3);
  }
});

test('each measurement is a group with its label or the name of its tool, and with a stable UID', () => {
  const one = length();
  const namesIn = (report: Buffer) =>
    groupsOf(report).map((group) => childrenOf(group, 'Tracking Identifier').map((item) => textOf(item, 'TextValue')));
  const uidIn = (report: Buffer) =>
    groupsOf(report).map((group) => childrenOf(group, 'Tracking Unique Identifier').map((item) => textOf(item, 'UID')));

  expect(namesIn(reportOf({ ...one, label: 'Nodule' }, length()))).toEqual([['Nodule'], ['Length 2']]);
  expect(uidIn(reportOf(one))).toEqual(uidIn(reportOf({ ...one, revision: 7 })));
  expect(uidIn(reportOf(one))).not.toEqual(uidIn(reportOf(length())));
});

test('measured values are written with concept, unit and full precision', () => {
  const one = length({ values: [{ quantity: 'LENGTH', value: 12.345678901234567, unit: 'mm' }] });
  const groups = groupsOf(reportOf(one, ellipse));

  expect(groups.map(numbersIn)).toEqual([
    [['Length', 12.345678901234567, 'mm']],
    [
      ['Area', 2454.4, 'mm2'],
      ['Attenuation Coefficient', -20.25, "[hnsf'U]"],
    ],
  ]);
  const derivations = childrenOf(groups[1] ?? {}).flatMap((item) => childrenOf(item, 'Derivation'));
  expect(derivations.map((item) => textOf(itemsOf(item, 'ConceptCodeSequence')[0] ?? {}, 'CodeMeaning'))).toEqual([
    'Mean',
  ]);
});

test('the unit of a value in a PET sphere decides whether it is written as SUV, activity or pixel value', () => {
  const ball = (unit: string) =>
    measured({
      tool: 'SPHERE',
      points: [
        [0, 0, 0],
        [5, 0, 0],
      ],
      values: [{ quantity: 'MEAN', value: 1250.5, unit }],
      sopInstanceUID: null,
      frame: null,
    });

  expect(groupsOf(reportOf(ball('SUV'), ball('Bq/ml'), ball('counts'))).map(numbersIn)).toEqual([
    [['SUVbw', 1250.5, '{SUVbw}g/ml']],
    [['Nuclear Medicine Tomographic Activity', 1250.5, 'Bq/ml']],
    [['Pixel value', 1250.5, '{counts}']],
  ]);
});

test('shortens the code of an unknown unit to the allowed length and keeps its full name', () => {
  const one = length({
    tool: 'PROBE',
    points: [at(5, 6)],
    values: [{ quantity: 'VALUE', value: 1.03, unit: 'RELATIVE ELECTRON DENSITY' }],
  });

  const [item = {}] = childrenOf(groupsOf(reportOf(one))[0] ?? {}).filter(
    (child) => textOf(child, 'ValueType') === 'NUM',
  );
  const [value = {}] = itemsOf(item, 'MeasuredValueSequence');
  const [unit = {}] = itemsOf(value, 'MeasurementUnitsCodeSequence');
  expect(textOf(unit, 'CodeValue')).toBe('{RELATIVE_ELECT}');
  expect(textOf(unit, 'CodeMeaning')).toBe('RELATIVE ELECTRON DENSITY');
});

test('a difference that was measured over a time interval is written neither as velocity nor as length', () => {
  const over = (quantity: 'VELOCITY' | 'LENGTH', unit: string) =>
    length({
      values: [
        { quantity: 'TIME', value: 0.25, unit: 's' },
        { quantity, value: 30, unit },
      ],
    });
  const alone = length({ values: [{ quantity: 'VELOCITY', value: 80, unit: 'cm/s' }] });

  const groups = groupsOf(reportOf(over('VELOCITY', 'cm/s'), over('LENGTH', 'cm'), alone));

  expect(groups.map((group) => numbersIn(group).map(([name]) => name))).toEqual([
    ['Duration', 'Velocity difference'],
    ['Duration', 'Depth difference'],
    ['Flow Velocity'],
  ]);
});

test('a length measured at the detector is marked as such', () => {
  const [group = {}] = groupsOf(
    reportOf(length({ values: [{ quantity: 'LENGTH', value: 10, unit: 'mm', scale: 'DETECTOR' }] })),
  );

  const [method = {}] = childrenOf(group).flatMap((item) => childrenOf(item, 'Measurement Method'));
  expect(textOf(itemsOf(method, 'ConceptCodeSequence')[0] ?? {}, 'CodeMeaning')).toBe('at the detector');
});

test('long and short axis each refer to their own line, whichever was drawn first', () => {
  const [, bidirectional = {}] = groupsOf(reportOf(...everything()));

  expect(
    childrenOf(bidirectional).flatMap((item) => shapesIn(item).map(({ points }) => [nameOf(item), ...points])),
  ).toEqual([
    ['Long axis', 15.5, 0.5, 15.5, 40.5],
    ['Short axis', 10.5, 20.5, 20.5, 20.5],
  ]);
});

test('writes the long axis of an ellipse first, and closes a rectangle at its first corner', () => {
  const groups = groupsOf(reportOf(...everything()));

  expect(shapesIn(groups[4] ?? {})).toEqual([
    { type: 'ELLIPSE', points: [30.5, 44.5, 70.5, 44.5, 50.5, 40.5, 50.5, 48.5] },
  ]);
  expect(shapesIn(groups[5] ?? {})).toEqual([
    { type: 'POLYLINE', points: [10.5, 20.5, 30.5, 20.5, 30.5, 50.5, 10.5, 50.5, 10.5, 20.5] },
  ]);
});

test('a measurement report leaves out coordinates that are not on the image', () => {
  const [x, y, z] = at(40, 20);
  const [group = {}] = groupsOf(reportOf(length({ points: [at(10, 20), [x, y, z + 5]] })));

  expect(shapesIn(group)).toEqual([]);
  expect(numbersIn(group)).toEqual([['Length', 93.75, 'mm']]);
  expect(textOf(childrenOf(group, 'Comment')[0] ?? {}, 'TextValue')).toMatch(
    /^The location of this measurement is not available/,
  );
});

test('a measurement report leaves out an image that is no longer in the archive', () => {
  const report = reportOf(length({ sopInstanceUID: '2.25.99' }));

  expect(groupsOf(report).flatMap(shapesIn)).toEqual([]);
  expect(readHeader(report).dataset).not.toHaveProperty('0040A375');
});

test('a 3D report has coordinates in mm, and is used only if all measurements have coordinates in space', () => {
  const report = reportOf(...inThePatient());

  expect(readHeader(report).sopClassUID).toBe('1.2.840.10008.5.1.4.1.1.88.34');
  expect(readHeader(reportOf(...everything())).sopClassUID).toBe('1.2.840.10008.5.1.4.1.1.88.33');
  expect(groupsOf(report).map(shapesIn)).toEqual([
    [{ type: 'POLYLINE', points: [...at(10, 20), ...at(40, 20)].map(Math.fround) }],
    [{ type: 'ELLIPSOID', points: [6, 20, 30, 14, 20, 30, 10, 16, 30, 10, 24, 30, 10, 20, 26, 10, 20, 34] }],
  ]);
});

test('measurements on planes keep their coordinates in space and refer to no image', () => {
  const report = reportOf(...onPlanes());

  expect(groupsOf(report).map(shapesIn)).toEqual([
    [{ type: 'POLYLINE', points: [10, 0, 5, 0, 0, 5, 0, 10, 5] }],
    [{ type: 'ELLIPSE', points: [-10, 0, 5, 10, 0, 5, 0, -5, 5, 0, 5, 5] }],
    [{ type: 'POINT', points: [1, 2, 5] }],
  ]);
  expect(groupsOf(report).map(numbersIn)).toEqual([
    [['Angle', 90, 'deg']],
    [
      ['Area', 157.08, 'mm2'],
      ['Attenuation Coefficient', 300, "[hnsf'U]"],
    ],
    [['Attenuation Coefficient', 41, "[hnsf'U]"]],
  ]);
  expect(readHeader(report).dataset).not.toHaveProperty('0040A375');
});

test('the modality of the series decides which quantity a value measured in its volume is', () => {
  const probe = measured({
    tool: 'PROBE',
    points: [[1, 2, 5]],
    values: [{ quantity: 'VALUE', value: 41, unit: '' }],
    ...onPlane,
  });
  const nameIn = (report: Buffer) => groupsOf(report).flatMap((group) => numbersIn(group).map(([name]) => name));

  expect(nameIn(reportOf({ ...probe, seriesInstanceUID: '2.25.500' }, probe))).toEqual([
    'MR signal intensity',
    'Pixel value',
  ]);
});

test('lists a single observer once, and several observers with each measurement', () => {
  const observersIn = (item: DicomJson) =>
    childrenOf(item, 'Person Observer Name').flatMap((child) => textOf(child, 'PersonName') ?? []);
  const alone = reportOf(length());
  const several = reportOf(length(), length({ author: { username: 'otto', name: 'Dr Otto' } }));

  expect(observersIn(readHeader(alone).dataset)).toEqual(['Dr Anna Weiß']);
  expect(groupsOf(alone).flatMap(observersIn)).toEqual([]);
  expect(groupsOf(several).flatMap(observersIn)).toEqual(['Dr Anna Weiß', 'Dr Otto']);
});

const kinds = [
  ['of images', everything],
  ['in patient coordinates', () => [...everything(), ...inThePatient(), ...onPlanes()]],
] as const;

test.skipIf(!hasDciodvfy).each(kinds)(
  `dicom3tools finds no error in a measurement report %s${hasDciodvfy ? '' : ' (skipped: dciodvfy is not installed)'}`,
  (_, measurementOf) => {
    const { stderr, stdout } = spawnSync('dciodvfy', [writeTemporary(reportOf(...measurementOf()))], {
      encoding: 'utf8',
    });

    expect(`${stdout}${stderr}`).toMatch(/Comprehensive(3D)?SR/);
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('Error'))).toEqual([]);
  },
);

test.skipIf(!hasDcmtk).each(kinds)(
  `dcmtk reads the content of a measurement report %s${hasDcmtk ? '' : ' (skipped: dcmtk is not installed)'}`,
  (_, measurementOf) => {
    const path = writeTemporary(reportOf(...measurementOf()));
    const { status, stdout } = spawnSync('dsrdump', ['+Pl', path], { encoding: 'utf8' });
    const html = spawnSync('dsr2html', [path], { encoding: 'utf8' });

    expect([status, html.status]).toEqual([0, 0]);
    expect(stdout).toContain('"Length")="93.75" (mm,UCUM,"mm")');
    expect(stdout).toContain('(POLYLINE,10.5/20.5,40.5/20.5)');
    expect(stdout).toContain('"Tracking Identifier")="Nodule"');
    expect(html.stdout).toContain('Imaging Measurement Report');
  },
);
