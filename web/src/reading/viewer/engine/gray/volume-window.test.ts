import { registerDefaultProviders } from '@cornerstonejs/metadata';
import { beforeAll, expect, test } from 'vitest';
import { built } from '#test/built-loader.ts';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { describeImages } from '#reading/viewer/engine/loading/image-metadata.ts';

type TestVolume = { imageIds: string[]; metadata: object; scaling?: { PT: { suvbw: number } } };

let windowOf: (volume: TestVolume) => Promise<{ lower: number; upper: number } | undefined>;

beforeAll(async () => {
  registerDefaultProviders();
  windowOf = (await built('RenderingEngine/helpers/setDefaultVolumeVOI.js')).getDefaultVolumeVOIRange;
});

let lastNumber = 0;

/** Returns a volume whose images have this window. */
const volumeWith = (center: number, width: number, curve?: string): TestVolume => {
  lastNumber += 1;
  const imageId = `wadors:/studies/1/series/1.${lastNumber}/instances/1.2.${lastNumber}/frames/1`;
  const header: DicomJson = {
    [tag.SOPInstanceUID]: { vr: 'UI', Value: [`1.2.${lastNumber}`] },
    [tag.WindowCenter]: { vr: 'DS', Value: [center] },
    [tag.WindowWidth]: { vr: 'DS', Value: [width] },
    ...(curve !== undefined && { [tag.VOILUTFunction]: { vr: 'CS', Value: [curve] } }),
  };
  describeImages([{ imageId, header, frame: 1, numberOfFrames: 1, instanceNumber: 1, plane: undefined }]);
  return { imageIds: [imageId], metadata: {} };
};

test('planes of a volume open with the window of their images and its VOI LUT function', async () => {
  expect(await windowOf(volumeWith(40, 400))).toEqual({ lower: -160, upper: 239 });
  expect(await windowOf(volumeWith(40, 400, 'LINEAR_EXACT'))).toEqual({ lower: -160, upper: 240 });
  expect(await windowOf(volumeWith(40, 400, 'SIGMOID'))).toEqual({ lower: -160, upper: 239 });
});

test('planes of a volume with fractional values open with their exact window, not as a negative', async () => {
  expect(await windowOf(volumeWith(0.5, 0.5))).toEqual({ lower: 0.25, upper: 0.75 });
});

test('planes of a PET in SUV open with a window for uptake, not the window of the activity in the file', async () => {
  expect(await windowOf({ ...volumeWith(15_000, 30_000), scaling: { PT: { suvbw: 0.0002 } } })).toEqual({
    lower: 0,
    upper: 5,
  });
});
