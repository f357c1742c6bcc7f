import { readFileSync } from 'node:fs';
import { cache, getWebWorkerManager, type Types, utilities } from '@cornerstonejs/core';
import { registerDefaultProviders } from '@cornerstonejs/metadata';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { numberPatches, withTrueNumbers } from '../../../../../build/patch-numbers.ts';
import { built, placeOf } from '#test/built-loader.ts';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { exceedsVolume, fillWithin } from '#reading/viewer/images/values/volume-values.ts';
import { describeImages } from '#reading/viewer/engine/loading/image-metadata.ts';

const explicitLittleEndian = '1.2.840.10008.1.2.1';

type Create = (imageId: string, bytes: Uint8Array, transferSyntax: string, options: object) => Promise<Types.IImage>;
type Numbers = Float32Array | Uint8Array | Uint16Array | Int16Array;

let createImage: Create;
let propsOf: typeof utilities.generateVolumePropsFromImageIds;
let decoded: Numbers;

const manager = getWebWorkerManager();
const decodeInWorker = manager.executeTask.bind(manager);

beforeAll(async () => {
  registerDefaultProviders();
  createImage = (await built('imageLoader/createImage.js')).default;
  propsOf = (await built('utilities/generateVolumePropsFromImageIds.js')).generateVolumePropsFromImageIds;
  // Stands in for the worker that decodes and rescales.
  const executeTask = async (_: string, __: string, { imageFrame }: { imageFrame: object }) => ({
    ...imageFrame,
    pixelData: decoded,
    pixelDataLength: decoded.length,
    smallestPixelValue: Math.min(...decoded),
    largestPixelValue: Math.max(...decoded),
  });
  Object.assign(manager, { executeTask });
});

afterEach(() => cache.purgeCache());
afterAll(() => Object.assign(manager, { executeTask: decodeInWorker }));

type Kind = { bits?: number; stored?: number; isSigned?: boolean; slope?: number; intercept?: number };

let lastNumber = 0;

/** Returns the image IDs of a series: slices of 2 x 2 pixels, 2 mm apart. */
const series = (...slices: readonly Kind[]): string[] => {
  lastNumber += 1;
  return slices.map(({ bits = 16, stored = bits, isSigned = false, slope, intercept = 0 }, at) => {
    const instance = `1.2.${lastNumber}.${at + 1}`;
    const imageId = `wadors:/studies/1/series/1.${lastNumber}/instances/${instance}/frames/1`;
    const numbers = { Rows: 2, Columns: 2, SamplesPerPixel: 1, BitsAllocated: bits, BitsStored: stored };
    const header: Record<string, DicomJson[string]> = {
      [tag.SOPInstanceUID]: { vr: 'UI', Value: [instance] },
      [tag.SeriesInstanceUID]: { vr: 'UI', Value: [`1.${lastNumber}`] },
      [tag.FrameOfReferenceUID]: { vr: 'UI', Value: ['1.9'] },
      [tag.PhotometricInterpretation]: { vr: 'CS', Value: ['MONOCHROME2'] },
      [tag.Modality]: { vr: 'CS', Value: ['MR'] },
      [tag.ImagePositionPatient]: { vr: 'DS', Value: [0, 0, 2 * at] },
      [tag.ImageOrientationPatient]: { vr: 'DS', Value: [1, 0, 0, 0, 1, 0] },
      [tag.PixelSpacing]: { vr: 'DS', Value: [1, 1] },
      [tag.PixelRepresentation]: { vr: 'US', Value: [isSigned ? 1 : 0] },
      ...(slope !== undefined && {
        [tag.RescaleSlope]: { vr: 'DS', Value: [slope] },
        [tag.RescaleIntercept]: { vr: 'DS', Value: [intercept] },
      }),
    };
    for (const [name, value] of Object.entries(numbers)) {
      header[tag[name as keyof typeof numbers]] = { vr: 'US', Value: [value] };
    }
    describeImages([{ imageId, header, frame: 1, numberOfFrames: 1, instanceNumber: at + 1, plane: undefined }]);
    return imageId;
  });
};

/** Returns the data type of the volume. */
const typeOf = (imageIds: string[]): string => propsOf(imageIds, 'volume').dataType;

/** Decodes an image for a volume of `type`, or for a stack. */
const imageOf = async (imageId: string, numbers: Numbers, type?: string): Promise<Types.IImage> => {
  decoded = numbers;
  const options = type === undefined ? {} : { targetBuffer: { type, rows: 2, columns: 2 } };
  return createImage(imageId, new Uint8Array(8), explicitLittleEndian, options);
};

test('the type of a volume can hold the brightest slice, even if only dark slices are sampled', async () => {
  const imageIds = series(...Array.from({ length: 5 }, () => ({ stored: 12 })));
  for (const imageId of [imageIds[0], imageIds[2], imageIds[4]]) {
    if (imageId) cache.putImageSync(imageId, await imageOf(imageId, Uint8Array.of(0, 10, 100, 255)));
  }

  expect(typeOf(imageIds)).toBe('Uint16Array');
});

test.each<[string, string, readonly Kind[]]>([
  [
    'bytes rescaled to Hounsfield units',
    'Int16Array',
    [{ bits: 8, slope: 8, intercept: -1024 }, { bits: 8 }, { bits: 8 }],
  ],
  [
    'signed bytes',
    'Int16Array',
    [
      { bits: 8, isSigned: true },
      { bits: 8, isSigned: true },
    ],
  ],
  ['bytes', 'Uint8Array', [{ bits: 8 }, { bits: 8 }]],
  ['values whose stored bits are missing in the header', 'Uint16Array', [{ stored: 0 }, { stored: 20 }]],
  ['16-bit values rescaled to Hounsfield units', 'Int16Array', [{ isSigned: true, slope: 1, intercept: -1024 }]],
  ['doubles beside other values', 'Float32Array', [{ bits: 64 }, {}, { bits: 64 }]],
  ['values that the slope raises beyond 16 bits', 'Float32Array', [{ isSigned: true, slope: 2 }]],
  ['fractions in a slice that is not sampled', 'Float32Array', [{}, { slope: 0.5 }, {}, {}, {}]],
  [
    'negative values in a slice that is not sampled',
    'Int16Array',
    [{ stored: 12 }, { stored: 12, slope: 1, intercept: -5 }, { stored: 12 }, { stored: 12 }, { stored: 12 }],
  ],
])('the type of a volume can hold %s: %s', (_, type, kinds) => {
  expect(typeOf(series(...kinds))).toBe(type);
});

test('a volume is built again for a loaded slice above the range of its type', async () => {
  const imageIds = series(...Array.from({ length: 3 }, () => ({ slope: 1, intercept: -1000 })));
  const [, middle = ''] = imageIds;
  expect(typeOf(imageIds)).toBe('Int16Array');

  const bright = await imageOf(middle, Float32Array.of(-1000, 0, 300, 59_000), 'Int16Array');
  cache.putImageSync(middle, bright);

  expect([exceedsVolume('Int16Array', bright), exceedsVolume('Float32Array', bright)]).toEqual([true, false]);
  expect(typeOf(imageIds)).toBe('Float32Array');
});

type Upload = { slice: number; lowest: number };

/** Updates the texture of a volume whose images partly arrived, and returns what it gives to the graphics card. */
const uploadsOf = async (imageIds: string[], dataType: string, loaded: boolean): Promise<Upload[]> => {
  const { extend } = await built('RenderingEngine/vtkClasses/vtkStreamingOpenGLTexture.js');
  const uploads: Upload[] = [];
  const nothing = () => {};
  const texSubImage3D = (...args: unknown[]) =>
    uploads.push({ slice: Number(args[4]), lowest: Math.min(...(args.at(-1) as Float32Array)) });
  const [texture, model]: [Record<string, (...args: never[]) => unknown>, object] = [{}, {}];
  extend(texture, model);
  Object.assign(model, {
    width: 2,
    height: 2,
    context: { texSubImage3D, FLOAT: 5126 },
    openGLDataType: 5126,
    _openGLRenderWindow: { activateTexture: nothing },
  });
  const likeReal = { createTexture: nothing, bind: nothing, deactivate: nothing };
  Object.assign(texture, likeReal, { updateArrayDataTypeForGL: (_: string, data: unknown[]) => data });
  const getVolume = vi.spyOn(cache, 'getVolume');
  const volume = { imageIds, dataType, loadStatus: { loaded }, isDynamicVolume: () => false };
  getVolume.mockReturnValue(volume as unknown as ReturnType<typeof cache.getVolume>);
  texture['setVolumeId']?.('volume' as never);
  texture['setUpdatedFrame']?.(0 as never);
  texture['update3DFromRaw']?.();
  getVolume.mockRestore();
  return uploads;
};

test.each([
  ['Int16Array', -32_768],
  ['Float32Array', -1e9],
])('a slice that could not be loaded is lower than all values in a volume of %s', async (type, lowest) => {
  const imageIds = series({ slope: 1, intercept: -1000 }, { slope: 1, intercept: -1000 });
  const [first = ''] = imageIds;
  cache.putImageSync(first, await imageOf(first, Float32Array.of(-1000, 0, 40, 300), type));

  expect(await uploadsOf(imageIds, type, false)).toEqual([{ slice: 0, lowest: -1000 }]);
  const uploads = await uploadsOf(imageIds, type, true);

  expect(uploads).toContainEqual({ slice: 1, lowest });
  expect(uploads.findLast(({ slice }) => slice === 0)).toEqual({ slice: 0, lowest: -1000 });
});

test('an image without pixels is given to the graphics card neither as a slice nor as voxels', async () => {
  const [whole = '', cut = ''] = series({}, {});
  cache.putImageSync(whole, await imageOf(whole, Uint16Array.of(1, 2, 3, 4), 'Uint16Array'));
  cache.putImageSync(cut, { ...(await imageOf(cut, Uint16Array.of(1, 2, 3, 4), 'Uint16Array')), rows: 0 });
  const image = cache.getImage(cut);
  Object.assign(image?.voxelManager ?? {}, { getScalarData: () => new Uint16Array() });

  expect(await uploadsOf([cut, whole], 'Uint16Array', false)).toEqual([]);
});

test('a volume keeps values outside the range of the original type', async () => {
  const [imageId = ''] = series({ slope: 1, intercept: -1024 });

  const metal = await imageOf(imageId, Float32Array.of(-1024, 0, 3071, 40_000), 'Int16Array');
  const bone = await imageOf(imageId, Float32Array.of(-1024, 0, 3071, 30_000), 'Int16Array');

  expect(Array.from(metal.getPixelData())).toEqual([-1024, 0, 3071, 40_000]);
  expect(Array.from(bone.getPixelData())).toEqual([-1024, 0, 3071, 30_000]);
  expect(bone.getPixelData()).toBeInstanceOf(Int16Array);
});

test('values outside the range of the volume are drawn as the nearest limit', () => {
  const target = new Int16Array(4);

  fillWithin(target, Float32Array.of(-40_000, -1024, 300, 40_000));

  expect(Array.from(target)).toEqual([-32_768, -1024, 300, 32_767]);
  const patch = numberPatches.find(({ file }) => file.endsWith('vtkStreamingOpenGLTexture.js'));
  expect(patch && withTrueNumbers(readFileSync(placeOf(patch.file, patch.of), 'utf8'), patch)).toContain(
    'fillWithin(convertedData, data)',
  );
});
