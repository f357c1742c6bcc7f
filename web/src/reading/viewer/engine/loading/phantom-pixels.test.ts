import { utilities } from '@cornerstonejs/core';
import { registerDefaultProviders } from '@cornerstonejs/metadata';
import { readHeader } from '@radwork/dicom/header';
import { imageGrid, onGrid } from '@radwork/dicom/image-grid';
import { patients } from '@radwork/phantom/patients';
import { computedRadiography, ctVolume, ultrasoundCine } from '@radwork/phantom/studies';
import { beforeAll, expect, test } from 'vitest';
import type { DicomJson } from '#reading/viewer/images/header/dicom-json.ts';
import { planeOf } from '#reading/viewer/images/geometry/image-plane.ts';
import { describeImages } from './image-metadata.ts';

const about = { seed: 'pixels of', patient: patients[0], studyDate: '20261112', accessionNumber: 'PIXELS' };

beforeAll(() => registerDefaultProviders());

test.each<[string, () => Iterable<{ bytes: Buffer }>, number]>([
  ['a slice of CT', () => ctVolume({ ...about, slices: 1, size: 128 }), 1],
  [
    'a radiograph, which lies nowhere in the patient',
    () => computedRadiography({ ...about, seed: 'pixels of a radiograph', size: 512 }),
    1,
  ],
  [
    'an ultrasound cine, whose pixels are of no size',
    () => ultrasoundCine({ ...about, seed: 'pixels of a cine', slices: 3 }),
    3,
  ],
])('the server finds the pixels of a line drawn on %s', (name, files, frame) => {
  const [file] = files();
  if (!file) throw new Error('There are no files');
  const { dataset } = readHeader(file.bytes);
  const header = dataset as DicomJson;
  const image = (number: number) => ({
    imageId: `wadors:/studies/1/series/pixels/instances/${name.length}/frames/${number}`,
    header,
    frame: number,
    numberOfFrames: frame,
    instanceNumber: 1,
    plane: planeOf(header, number),
  });
  describeImages([image(1)]);
  const ends = [
    [40.5, 60.5],
    [102.5, 120.5],
  ] as const;

  const points = ends.map(([column, row]) => {
    const point = utilities.imageToWorldCoords(image(frame).imageId, [column, row]);
    if (!point) throw new Error('The library knows no place of the image');
    return point;
  });

  expect(onGrid(points, imageGrid(dataset, frame))).toEqual(
    ends.map((end) => end.map((part) => expect.closeTo(part, 3))),
  );
});
