import type { DicomJson } from '@radwork/dicom/dataset';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readHeader } from '@radwork/dicom/header';
import { type Elements, writePart10 } from '@radwork/dicom/part10';
import { expect, test } from 'vitest';
import { outlinesOf } from './read-outlines.ts';

const code = (value: string, meaning: string) => [
  { CodeValue: value, CodingSchemeDesignator: 'DCM', CodeMeaning: meaning },
];
const image = { ReferencedSOPClassUID: '1.2.840.10008.5.1.4.1.1.2', ReferencedSOPInstanceUID: '2.25.1' };
const onImage: Elements = {
  RelationshipType: 'SELECTED FROM',
  ValueType: 'IMAGE',
  ReferencedSOPSequence: [image],
};
const scoord = (type: string, data: number[], more: Elements = {}): Elements => ({
  RelationshipType: 'INFERRED FROM',
  ValueType: 'SCOORD',
  GraphicType: type,
  GraphicData: data,
  ContentSequence: [onImage],
  ...more,
});
const measured = (name: string, value: string, unit: string, children: Elements[] = []): Elements => ({
  RelationshipType: 'CONTAINS',
  ValueType: 'NUM',
  ConceptNameCodeSequence: code('1', name),
  MeasuredValueSequence: [
    {
      NumericValue: value,
      MeasurementUnitsCodeSequence: [{ CodeValue: unit, CodingSchemeDesignator: 'UCUM', CodeMeaning: unit }],
    },
  ],
  ContentSequence: children,
});
const tracking: Elements = {
  RelationshipType: 'HAS OBS CONTEXT',
  ValueType: 'TEXT',
  ConceptNameCodeSequence: code('112039', 'Tracking Identifier'),
  TextValue: 'Nodule 1',
};

/** Reads a report back from its bytes, as another program would send it. */
const report = (children: Elements[]): DicomJson =>
  readHeader(
    writePart10({
      transferSyntaxUID: '1.2.840.10008.1.2.1',
      dataset: {
        SOPClassUID: '1.2.840.10008.5.1.4.1.1.88.33',
        SOPInstanceUID: '2.25.9',
        StudyInstanceUID: '2.25.10',
        SeriesInstanceUID: '2.25.11',
        ValueType: 'CONTAINER',
        ContentSequence: [
          {
            RelationshipType: 'CONTAINS',
            ValueType: 'CONTAINER',
            ConceptNameCodeSequence: code('125007', 'Measurement Group'),
            ContentSequence: children,
          },
        ],
      },
    }),
  ).dataset;

test('a length of a measurement group has its points, its image, its name and its value', () => {
  const { outlines, unread } = outlinesOf(
    report([tracking, measured('Long Axis', '20.0', 'mm', [scoord('POLYLINE', [10, 20, 30, 20.5])])]),
  );

  expect(unread).toBe(0);
  expect(outlines).toEqual([
    {
      type: 'POLYLINE',
      words: ['Nodule 1', 'Long Axis: 20 mm'],
      images: new Map([['2.25.1', []]]),
      points: [
        { x: 10, y: 20 },
        { x: 30, y: 20.5 },
      ],
    },
  ]);
});

test.each([
  ['POINT', [5, 6], 1],
  ['MULTIPOINT', [5, 6, 7, 8, 9, 10], 3],
  ['CIRCLE', [50, 50, 60, 50], 2],
  ['ELLIPSE', [40, 50, 60, 50, 50, 45, 50, 55], 4],
])('reads a %s in the same group as its measurements', (type, data, points) => {
  const region = scoord(type, data, { RelationshipType: 'CONTAINS' });

  const { outlines } = outlinesOf(report([tracking, measured('Area', '3.1', 'cm2'), region]));

  expect(outlines[0]).toMatchObject({ type, words: ['Nodule 1', 'Area: 3.1 cm2'] });
  expect(outlines[0] && 'points' in outlines[0] && outlines[0].points).toHaveLength(points);
});

test('follows a reference to the image in another part of the report, with its frames', () => {
  const library: Elements = {
    RelationshipType: 'CONTAINS',
    ValueType: 'IMAGE',
    ReferencedSOPSequence: [{ ...image, ReferencedFrameNumber: ['3'] }],
  };
  const outline = scoord('POINT', [1, 2], {
    ContentSequence: [{ RelationshipType: 'SELECTED FROM', ReferencedContentItemIdentifier: [1, 1, 1] }],
  });

  const { outlines } = outlinesOf(report([library, measured('Size', '4', 'mm', [outline])]));

  expect(outlines[0]).toMatchObject({ images: new Map([['2.25.1', [3]]]) });
});

test('reads outlines in the patient with their frame of reference', () => {
  const inSpace: Elements = {
    RelationshipType: 'INFERRED FROM',
    ValueType: 'SCOORD3D',
    GraphicType: 'POLYGON',
    GraphicData: [0, 0, 5, 10, 0, 5, 0, 10, 5],
    ReferencedFrameOfReferenceUID: '2.25.77',
  };

  const { outlines } = outlinesOf(report([measured('Area', '50', 'mm2', [inSpace])]));

  expect(outlines[0]).toMatchObject({
    type: 'POLYGON',
    frameOfReference: '2.25.77',
    places: [
      [0, 0, 5],
      [10, 0, 5],
      [0, 10, 5],
    ],
  });
});

test('counts outlines without an image, of unknown shapes, or with too few points', () => {
  const { outlines, unread } = outlinesOf(
    report([
      measured('A', '1', 'mm', [scoord('POINT', [1, 2], { ContentSequence: [] })]),
      measured('B', '1', 'mm', [scoord('SPIRAL', [1, 2])]),
      measured('C', '1', 'mm', [scoord('CIRCLE', [1, 2])]),
    ]),
  );

  expect([outlines.length, unread]).toEqual([0, 3]);
});

const file = join(resolve(import.meta.dirname, '../../../../../../shared/cases/viewer'), 'sr-scoord-sr.dcm');
const because = existsSync(file) ? '' : ' (skipped: ../shared/cases is not here)';

test.skipIf(because !== '')(`reads the outline of the foreign report of the cases${because}`, () => {
  const { outlines } = outlinesOf(readHeader(readFileSync(file)).dataset);

  expect(outlines).toMatchObject([{ type: 'POLYLINE', words: ['Nodule 1', 'Long Axis: 20 mm'] }]);
});
