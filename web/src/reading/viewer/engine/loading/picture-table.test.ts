import { getWebWorkerManager, type Types, utilities } from '@cornerstonejs/core';
import { registerDefaultProviders } from '@cornerstonejs/metadata';
import { readHeader } from '@radwork/dicom/header';
import { closingBoundary, partHeader } from '@radwork/dicom/multipart';
import { simpleInstance } from '@radwork/phantom/instance';
import { graysOf, type PictureCase, pictureCases, pictureSide, pixelDataOf } from '@radwork/phantom/picture-cases';
import { QueryClient } from '@tanstack/react-query';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { built } from '#test/built-loader.ts';
import { answerBytes, serve, signIn } from '#test/screen.tsx';
import type { Bitmap } from '#reading/viewer/file-layers/layer-bitmaps.ts';
import { layersOf, type ReadLayers } from '#reading/viewer/file-layers/read-layers.ts';
import { learnShape } from '#reading/viewer/images/geometry/pixel-shape.ts';
import { learnTables } from '#reading/viewer/images/gray/lookup-tables.ts';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { withFrameAtTop } from '#reading/viewer/images/header/frame-attributes.ts';
import { withUsableRescale } from '#reading/viewer/images/header/usable-rescale.ts';
import { learnPadding } from '#reading/viewer/images/values/padding.ts';
import { describeImages, provideShapes } from './image-metadata.ts';
import { provideTables } from './load-lookup-tables.ts';

const explicitLittleEndian = '1.2.840.10008.1.2.1';

type Create = (imageId: string, bytes: Uint8Array, transferSyntax: string) => Promise<Types.IImage>;

let createImage: Create;

const manager = getWebWorkerManager();
const decodeInWorker = manager.executeTask.bind(manager);

beforeAll(async () => {
  registerDefaultProviders();
  provideTables();
  provideShapes();
  createImage = (await built('imageLoader/createImage.js')).default;
  const { decodeImageFrame } = await built('decodeImageFrameWorker.js');
  // Decodes here, because a test has no worker.
  const executeTask = async (_: string, __: string, task: Record<string, unknown>) =>
    decodeImageFrame(
      task['imageFrame'],
      task['transferSyntax'],
      task['pixelData'],
      task['decodeConfig'],
      task['options'],
    );
  Object.assign(manager, { executeTask });
});

afterAll(() => Object.assign(manager, { executeTask: decodeInWorker }));

const boundary = 'frame';

/** Answers with the frame as the server sends it. */
const serveFrame = (imageId: string, pixelData: Buffer) => {
  signIn();
  const contentType = `application/octet-stream; transfer-syntax=${explicitLittleEndian}`;
  const body = Buffer.concat([partHeader({ boundary, contentType }), pixelData, closingBoundary(boundary)]);
  const headers = { 'content-type': `multipart/related; type="application/octet-stream"; boundary=${boundary}` };
  serve(answerBytes(imageId.replace('wadors:', ''), () => new Response(new Uint8Array(body), { headers })));
};

/** Loads an image and its layers as the viewer does. */
const loaded = async (one: PictureCase): Promise<{ image: Types.IImage; layers: ReadLayers }> => {
  const pixelData = pixelDataOf(one);
  const { dataset } = readHeader(simpleInstance(one.elements, { pixelData }));
  // The server adds the transfer syntax.
  const syntax = { [tag.AvailableTransferSyntaxUID]: { vr: 'UI', Value: [explicitLittleEndian] } };
  const header = { ...withUsableRescale(withFrameAtTop(dataset)), ...syntax };
  const imageId = `wadors:/api/wado-rs/studies/1/series/1/instances/1.2.${pictureCases.indexOf(one) + 1}/frames/1`;
  const described = { imageId, header, frame: 1, numberOfFrames: 1, instanceNumber: 1, plane: undefined };
  learnPadding(imageId, header);
  learnShape(imageId, header);
  learnTables(imageId, header);
  describeImages([described]);
  const image = await createImage(imageId, new Uint8Array(pixelData), explicitLittleEndian);
  serveFrame(imageId, pixelData);
  return { image, layers: await new QueryClient().fetchQuery(layersOf(described)) };
};

/** Returns the grays of an image in its first window, without a graphics card. */
const graysOfImage = (image: Types.IImage): number[] => {
  const { lower, upper } = utilities.getVOIRangeFromWindowLevel(
    image.windowWidth,
    image.windowCenter,
    image.voiLUTFunction,
  ) ?? {
    lower: 0,
    upper: 0,
  };
  return Array.from(image.getPixelData(), (value) =>
    Math.round(255 * Math.min(Math.max((value - lower) / (upper - lower), 0), 1)),
  );
};

/** Returns the color of each pixel that a layer covers, and [] for each other pixel. */
const covered = (bitmap: Bitmap | undefined): number[][] =>
  Array.from({ length: pictureSide ** 2 }, (_, index) => {
    const [red = 0, green = 0, blue = 0, opacity = 0] = bitmap?.rgba.subarray(4 * index) ?? [];
    return opacity > 0 ? [red, green, blue] : [];
  });

test.each(pictureCases)('$name: the picture of the viewer is right', async (one) => {
  const { image, layers } = await loaded(one);

  const { columnPixelSpacing, rowPixelSpacing } = image;
  expect(columnPixelSpacing / rowPixelSpacing).toBeCloseTo(one.shape.wide / one.shape.tall);
  const expected = graysOf(one);
  const difference = graysOfImage(image).map((gray, index) => Math.abs(gray - (expected[index] ?? Number.NaN)));
  expect(Math.max(...difference)).toBeLessThanOrEqual(1);
  const colors = Array.from(one.stored, (value) =>
    one.colors && value >= one.colors.first ? one.colors.colorOf(value) : [],
  );
  expect(covered(layers.colors)).toEqual(colors);
  expect(covered(layers.planes).flatMap((color, index) => (color.length > 0 ? [index] : []))).toEqual(one.marked ?? []);
  expect(layers.notDrawn).toEqual([]);
  expect((image.columnPixelSpacing || 1) / (image.rowPixelSpacing || 1)).toBeCloseTo(one.shape.wide / one.shape.tall);
});
