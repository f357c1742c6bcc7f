import { metaData, registerDefaultProviders } from '@cornerstonejs/metadata';
import type { DicomJson as Header } from '@radwork/dicom/dataset';
import { imageGrid } from '@radwork/dicom/image-grid';
import { beforeAll, expect, test } from 'vitest';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { planeOf } from '#reading/viewer/images/geometry/image-plane.ts';
import { describeImages } from './image-metadata.ts';

const element = (vr: string, ...Value: unknown[]) => ({ vr, Value });
const position = { [tag.ImagePositionPatient]: element('DS', -200, -180, 60) };
const coronal = { [tag.ImageOrientationPatient]: element('DS', 1, 0, 0, 0, 0, -1) };
const axial = { [tag.ImageOrientationPatient]: element('DS', 1, 0, 0, 0, 1, 0) };
const frames = {
  [tag.NumberOfFrames]: element('IS', 3),
  [tag.Rows]: element('US', 64),
  [tag.Columns]: element('US', 64),
  [tag.PixelSpacing]: element('DS', 4, 4),
};
const apart = { [tag.SpacingBetweenSlices]: element('DS', -4) };
const detectors = (...items: DicomJson[]) => ({ [tag.DetectorInformationSequence]: element('SQ', ...items) });
const groupOf = (name: string, item: DicomJson): DicomJson => ({ [name]: element('SQ', item) });
const perFrame = {
  [tag.PerFrameFunctionalGroupsSequence]: element(
    'SQ',
    ...[10, 20, 30].map((height) =>
      groupOf(tag.PlanePositionSequence, { [tag.ImagePositionPatient]: element('DS', 0, 0, height) }),
    ),
  ),
};
const shared = {
  [tag.SharedFunctionalGroupsSequence]: element('SQ', groupOf(tag.PlaneOrientationSequence, coronal)),
};
const offsets = (...values: number[]) => ({ [tag.GridFrameOffsetVector]: element('DS', ...values) });

const headers: Record<string, DicomJson> = {
  'with one position and orientation': { ...frames, ...position, ...coronal },
  'without position and orientation': frames,
  'with a position for each frame': { ...frames, ...shared, ...perFrame },
  'with an orientation but no position': { ...frames, ...shared },
  'with one position and functional groups': { ...frames, ...position, ...shared },
  'of a detector': { ...frames, ...apart, ...detectors({ ...position, ...coronal }) },
  'of two detectors': { ...frames, ...apart, ...detectors({ ...position, ...axial }, { ...position, ...coronal }) },
  'of a detector, without spacing': { ...frames, ...detectors({ ...position, ...coronal }) },
  'of a detector without position and orientation': { ...frames, ...detectors({}) },
  'of a detector with a position but no orientation': { ...frames, ...apart, ...detectors(position) },
  'of a detector with only an orientation, without spacing': { ...frames, ...detectors(coronal) },
  'of a detector with only an orientation': { ...frames, ...apart, ...detectors(coronal) },
  'with an orientation, of a detector without one': { ...frames, ...apart, ...coronal, ...detectors({}) },
  'of a detector with an incomplete position': {
    ...frames,
    ...apart,
    ...detectors({ ...coronal, [tag.ImagePositionPatient]: element('DS', 1, 2) }),
  },
  'with an orientation, of a detector with another one': {
    ...frames,
    ...apart,
    ...coronal,
    ...detectors({ ...position, ...axial }),
  },
  'with one position, of a detector with only an orientation': {
    ...frames,
    ...apart,
    ...position,
    ...axial,
    ...detectors(coronal),
  },
  'with functional groups, of a detector': {
    ...frames,
    ...apart,
    ...perFrame,
    ...shared,
    ...detectors({ ...position, ...axial }),
  },
  'of a dose': { ...frames, ...position, ...coronal, ...offsets(0, 5, 10) },
  'of a dose with heights': { ...frames, ...position, ...axial, ...offsets(60, 65, 70) },
  'of a dose with wrong heights': { ...frames, ...position, ...coronal, ...offsets(60, 65, 70) },
  'of a dose without a position': { ...frames, ...offsets(0, 5, 10) },
  'of an image with one frame, of a detector': {
    ...frames,
    [tag.NumberOfFrames]: element('IS', 1),
    ...apart,
    ...detectors({ ...position, ...coronal }),
  },
};

beforeAll(() => registerDefaultProviders());

let lastNumber = 0;

/** Returns position and axes that the imaging library computes for the frames. */
const laidByLibrary = (header: DicomJson) => {
  lastNumber += 1;
  const images = [1, 2, 3].map((frame) => ({
    imageId: `wadors:/studies/1/series/9/instances/9.${lastNumber}/frames/${frame}`,
    header,
    frame,
    numberOfFrames: 3,
    instanceNumber: 1,
    plane: planeOf(header, frame),
  }));
  describeImages(images);
  return images.map(({ imageId }) => {
    const laid: Partial<Record<string, readonly number[]>> = metaData.get('imagePlaneModule', imageId) ?? {};
    return [laid['imagePositionPatient'], laid['rowCosines'], laid['columnCosines']].map(
      (one) => one && Array.from(one),
    );
  });
};

test.each(Object.entries(headers))('server and viewer compute the same positions for frames %s', (_, header) => {
  const known = [1, 2, 3].map((frame) => {
    const { position: first, along, down } = imageGrid(header as unknown as Header, frame);
    return [first, along, down].map((one) => one.map((part) => part + 0));
  });
  const count = Number(header[tag.NumberOfFrames]?.Value?.[0]);

  expect(known.slice(0, count)).toEqual(laidByLibrary(header).slice(0, count));
});
