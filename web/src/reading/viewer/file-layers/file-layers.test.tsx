import { Enums } from '@cornerstonejs/core';
import { closingBoundary, partHeader } from '@radwork/dicom/multipart';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { describeShown } from '#reading/viewer/engine/stack/shown-image.ts';
import { learnTables } from '#reading/viewer/images/gray/lookup-tables.ts';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { overlaysOf, overlaysToInclude, paneTextOf } from '#reading/viewer/pictures/picture-overlays.ts';
import { answerBytes, serve, signIn } from '#test/screen.tsx';
import { stackWithoutScreen } from '#test/stack-without-graphics.ts';
import { FileLayers } from './file-layers.tsx';
import { layersOf } from './read-layers.ts';

const of = (...values: unknown[]) => ({ vr: 'UN', Value: values });
const bytes = (...values: number[]) => ({ vr: 'OB', InlineBinary: btoa(String.fromCharCode(...values)) });

let lastNumber = 0;

const imageWith = (more: DicomJson, frame = 1): SeriesImage => {
  lastNumber += 1;
  const header = {
    [tag.SOPInstanceUID]: of(`2.25.${lastNumber}`),
    [tag.AvailableTransferSyntaxUID]: of('1.2.840.10008.1.2.1'),
    [tag.PhotometricInterpretation]: of('MONOCHROME2'),
    [tag.Rows]: of(4),
    [tag.Columns]: of(4),
    [tag.BitsAllocated]: of(16),
    ...more,
  };
  return {
    imageId: `wadors:/api/wado-rs/studies/1/series/2/instances/${lastNumber}/frames/${frame}`,
    header,
    frame,
    numberOfFrames: 1,
    instanceNumber: 1,
    plane: undefined,
  };
};

const read = (image: SeriesImage) => new QueryClient().fetchQuery(layersOf(image));

const show = async (image: SeriesImage, areHidden = false) => (await showOn(image, areHidden)).container;

const showOn = async (image: SeriesImage, areHidden = false) => {
  const { imageId } = image;
  const viewport = await stackWithoutScreen([{ imageId, center: 500.5, width: 1001 }]);
  const shownImage = describeShown({ viewport, images: [image] });
  if (!shownImage) throw new Error('Nothing is drawn');
  const { container } = render(
    <QueryClientProvider client={new QueryClient()}>
      <FileLayers viewport={viewport} shownImage={shownImage} areHidden={areHidden} />
    </QueryClientProvider>,
  );
  return { viewport, container };
};

const plane = { '60000010': of(4), '60000011': of(4), '60003000': bytes(0b100001, 0) };
const shutter = {
  [tag.ShutterShape]: of('RECTANGULAR'),
  '00181602': of(2),
  '00181604': of(3),
  '00181606': of(2),
  '00181608': of(3),
  '00181622': of(0x8000),
};

const markedIn = (rgba: Uint8ClampedArray | undefined) =>
  [...(rgba ?? [])].flatMap((value, at) => (at % 4 === 3 && value > 0 ? (at - 3) / 4 : []));

test('reads the pixels that the overlay planes of a frame mark', async () => {
  const { planes, notDrawn } = await read(
    imageWith({ ...plane, '60020010': of(1), '60020011': of(1), '60020050': of(4, 4), '60023000': bytes(1, 0) }),
  );

  expect(markedIn(planes?.rgba)).toEqual([0, 5, 15]);
  expect(notDrawn).toEqual([]);
});

test('says that an overlay plane is incomplete', async () => {
  const { notDrawn } = await read(imageWith({ ...plane, '60003000': bytes(1) }));

  expect(notDrawn).toEqual(['Overlay planes of the file are incomplete']);
});

test('an overlay plane of another frame is not drawn', async () => {
  const later = { ...plane, '60000051': of(2) };

  expect((await read(imageWith(later, 1))).planes).toBeUndefined();
  expect(markedIn((await read(imageWith(later, 2))).planes?.rgba)).toEqual([0, 5]);
});

test('the shutter of an image is drawn in the gray of its file, and a saved picture always has it', async () => {
  const container = await show(imageWith(shutter));

  const path = (await screen.findByTestId('shutter')).querySelector('path');

  expect(path?.getAttribute('fill')).toBe('rgb(128 128 128)');
  const canvas = document.createElement('canvas');
  expect(overlaysToInclude(overlaysOf(canvas, container), false)).toHaveLength(1);
});

test('hidden layers are named on the image and on saved pictures', async () => {
  const container = await show(imageWith(shutter), true);

  const words = 'Hidden: overlay planes and shutter of the file';
  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.queryByTestId('shutter')).toBeNull();
  expect(paneTextOf(container).facts).toEqual([words]);
});

test('layers that cannot be loaded are named', async () => {
  await show(imageWith({ ...plane, '60003000': { vr: 'OW', BulkDataURI: '/nowhere/bulkdata/60003000' } }));

  const words = 'Not drawn: overlay planes, shutter or colors of the file could not be loaded';
  expect(await screen.findByText(words, {}, { timeout: 20_000 })).toBeDefined();
});

test('a bitmap shutter hides the pixels that its overlay plane marks, in the color of the file', async () => {
  // Blue in CIELab, as DICOM encodes it.
  const color = of(19_377, 50_449, 4105);
  const bitmap = { [tag.ShutterShape]: of('BITMAP'), '00181623': of(0x60_00), '00181624': color };

  const { shutterPixels, shutterColor, planes, notDrawn } = await read(imageWith({ ...plane, ...bitmap }));

  const hidden = Array.from({ length: 16 }, (_, index) =>
    [...(shutterPixels?.rgba.subarray(4 * index) ?? [])].slice(0, 4),
  );
  const [, , blue] = shutterColor;
  expect(blue).toBeGreaterThan(250);
  expect(hidden.flatMap(([, , , opacity], index) => (opacity === 255 ? [index] : []))).toEqual([0, 5]);
  expect(hidden[5]).toEqual([...shutterColor, 255]);
  expect([planes, notDrawn]).toEqual([undefined, []]);
});

test('a shutter that cannot be read is named', async () => {
  expect((await read(imageWith({ [tag.ShutterShape]: of('OVAL') }))).notDrawn).toEqual([
    'Not drawn: shutter of the file',
  ]);
});

const supplemented = {
  [tag.PixelPresentation]: of('COLOR'),
  ...Object.fromEntries(
    [tag.RedPaletteColorLookupTableData, tag.GreenPaletteColorLookupTableData, tag.BluePaletteColorLookupTableData].map(
      (attribute) => [attribute, bytes(7, 7)],
    ),
  ),
  ...Object.fromEntries(
    [
      tag.RedPaletteColorLookupTableDescriptor,
      tag.GreenPaletteColorLookupTableDescriptor,
      tag.BluePaletteColorLookupTableDescriptor,
    ].map((attribute) => [attribute, of(1, 3000, 16)]),
  ),
};

/** Answers with a frame whose pixels have one value. */
const serveFrame = ({ imageId }: SeriesImage, value: number) => {
  signIn();
  const pixels = Buffer.from(new Uint16Array(16).fill(value).buffer);
  const head = partHeader({ boundary: 'x', contentType: 'application/octet-stream' });
  const headers = { 'content-type': 'multipart/related; type="application/octet-stream"; boundary=x' };
  const body = new Uint8Array(Buffer.concat([head, pixels, closingBoundary('x')]));
  const [, study, series, instance] = /studies\/(.+)\/series\/(.+)\/instances\/(.+)\/frames/.exec(imageId) ?? [];
  const path = `/api/wado-rs/studies/${study}/series/${series}/instances/${instance}/frames/1`;
  serve(answerBytes(path, () => new Response(body, { headers })));
};

test.each([
  [3000, 'file-colors', Enums.InterpolationType.NEAREST],
  [2999, '', Enums.InterpolationType.LINEAR],
])('pixels of the value %i beside colors are drawn without a bright edge', async (value, layer, interpolation) => {
  const image = imageWith({
    ...supplemented,
    [tag.BitsStored]: of(16),
    [tag.HighBit]: of(15),
    [tag.PixelRepresentation]: of(0),
  });
  serveFrame(image, value);
  learnTables(image.imageId, image.header);
  const { viewport, container } = await showOn(image);

  await waitFor(() => expect(container.querySelector('[data-state="coming"]')).toBeNull());

  expect(screen.queryAllByTestId('file-colors').map((element) => element.dataset['testid'])).toEqual(
    layer ? [layer] : [],
  );
  expect(viewport.getProperties().interpolationType).toBe(interpolation);
});
