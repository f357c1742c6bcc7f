import type { StackViewport } from '@cornerstonejs/core';
import { registerDefaultProviders } from '@cornerstonejs/metadata';
import { beforeAll, expect, test } from 'vitest';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { withFrameAtTop } from '#reading/viewer/images/header/frame-attributes.ts';
import type { GrayRange } from '#reading/viewer/images/gray/gray-window.ts';
import { planeOf } from '#reading/viewer/images/geometry/image-plane.ts';
import { describeImages } from '#reading/viewer/engine/loading/image-metadata.ts';
import { describeShown } from './shown-image.ts';

beforeAll(() => registerDefaultProviders());

const element = (vr: string, ...Value: unknown[]) => ({ vr, Value });
const size = { [tag.Rows]: element('US', 64), [tag.Columns]: element('US', 64) };
const coronal = { [tag.ImageOrientationPatient]: element('DS', -1, 0, 0, 0, 0, -1) };
const radiograph = { ...size, [tag.PatientOrientation]: element('CS', 'R', 'F') };
const oneFrame = {
  ...size,
  [tag.SharedFunctionalGroupsSequence]: element('SQ', { [tag.PlaneOrientationSequence]: element('SQ', coronal) }),
  [tag.PerFrameFunctionalGroupsSequence]: element('SQ', {
    [tag.PlanePositionSequence]: element('SQ', { [tag.ImagePositionPatient]: element('DS', 90, 5, 90) }),
  }),
};

const itsOwn = [
  [1, 0, 0],
  [0, 1, 0],
] as const;

let instances = 0;

/** Describes an image that a stack draws upright along the axes of the imaging library. */
const shownOf = (
  header: DicomJson,
  [across, down]: readonly (readonly number[])[] = itsOwn,
  [most, voiRange]: [most?: number, voiRange?: GrayRange] = [],
) => {
  instances += 1;
  const imageId = `wadors:/studies/1/series/7/instances/7.${instances}/frames/1`;
  const image = { imageId, header, frame: 1, numberOfFrames: 1, instanceNumber: 1, plane: planeOf(header, 1) };
  describeImages([image]);
  const viewport: Partial<StackViewport> = {
    getCornerstoneImage: () =>
      ({ imageId, color: false, invert: false, minPixelValue: 0, maxPixelValue: most ?? 9 }) as never,
    getProperties: () => ({ ...(voiRange && { voiRange }) }),
    getDefaultActor: () => undefined as never,
    canvasToWorld: ([x, y]) => [0, 1, 2].map((axis) => x * (across?.[axis] ?? 0) + y * (down?.[axis] ?? 0)) as never,
  };
  return describeShown({ viewport: viewport as StackViewport, images: [image] });
};

const lettersOf = (header: DicomJson, across: readonly number[], down: readonly number[]) =>
  shownOf(header, [across, down])?.edges;

const seenFromBehind = { left: 'L', right: 'R', top: 'H', bottom: 'F' };

test('the orientation letters of an image come from its plane', () => {
  expect(lettersOf(withFrameAtTop(oneFrame), [-1, 0, 0], [0, 0, -1])).toEqual(seenFromBehind);
});

test('the orientation letters of an image without a position come from its header', () => {
  expect(lettersOf(radiograph, ...itsOwn)).toEqual(seenFromBehind);
});

test('if the library and the header disagree about the orientation of an image, it shows no letters', () => {
  expect(lettersOf(oneFrame, ...itsOwn)).toBeUndefined();
  expect(lettersOf({ ...radiograph, ...coronal }, [-1, 0, 0], [0, 0, -1])).toBeUndefined();
});

test('the window of an image with fractional values is shown with fractions', () => {
  const diffusion = { lower: 0, upper: 0.003 };

  expect(shownOf(radiograph, itsOwn, [0.0031, diffusion])?.window).toBe('W 0.003  L 0.0015');
  expect(shownOf(radiograph, itsOwn, [900, { lower: -160, upper: 239 }])?.window).toBe('W 400  L 40');
});

test('the facts of a removed viewport are empty', () => {
  const viewport: Partial<StackViewport> = {
    isDisabled: true,
    getCornerstoneImage: () => ({ imageId: 'wadors:1' }) as never,
    canvasToWorld: () => {
      throw new TypeError("Cannot read properties of null (reading 'getClippingRange')");
    },
  };
  const image = {
    imageId: 'wadors:1',
    header: radiograph,
    frame: 1,
    numberOfFrames: 1,
    instanceNumber: 1,
    plane: undefined,
  };

  expect(describeShown({ viewport: viewport as StackViewport, images: [image] })).toBeUndefined();
});
