import { closingBoundary, partHeader } from '@radwork/dicom/multipart';
import { expect, test } from 'vitest';
import { answerBytes, serve, signIn } from '#test/screen.tsx';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { storedPixels, storedValuesOf } from './stored-pixels.ts';

const boundary = 'part';
const path = '/api/wado-rs/studies/1.2/series/1.3/instances/1.4/frames/2';
const of = (...values: unknown[]) => ({ vr: 'UN', Value: values });

const imageWith = (syntax: string, more: DicomJson = {}): SeriesImage => ({
  imageId: `wadors:${path}`,
  header: {
    [tag.AvailableTransferSyntaxUID]: of(syntax),
    [tag.Rows]: of(1),
    [tag.Columns]: of(3),
    [tag.BitsAllocated]: of(16),
    [tag.BitsStored]: of(12),
    [tag.HighBit]: of(11),
    [tag.PixelRepresentation]: of(1),
    ...more,
  },
  frame: 2,
  numberOfFrames: 2,
  instanceNumber: 1,
  plane: undefined,
});

/** Answers with parts and returns the Accept headers of the requests. */
const answerParts = (...parts: readonly Uint8Array[]) => {
  signIn();
  const head = partHeader({ boundary, contentType: 'application/octet-stream' });
  const body = Buffer.concat([...parts.flatMap((part) => [head, part]), closingBoundary(boundary)]);
  const accepted: (string | null)[] = [];
  const headers = { 'content-type': `multipart/related; type="application/octet-stream"; boundary=${boundary}` };
  serve(
    answerBytes(path, (sent) => {
      accepted.push(sent.headers.get('accept'));
      return new Response(new Uint8Array(body), { headers });
    }),
  );
  return accepted;
};

const read = (image: SeriesImage) => storedPixels(image, new AbortController().signal);
const cells = new Uint8Array(Uint16Array.of(0x4fff, 0x0001, 0x8800).buffer);

test('returns the frame without its multipart wrapper, and the values without unused bits', async () => {
  answerParts(cells);
  const image = imageWith('1.2.840.10008.1.2.1');

  const pixels = await read(image);

  expect([...pixels]).toEqual([...cells]);
  expect(Array.from(storedValuesOf(image, pixels))).toEqual([-1, 1, -2048]);
});

test.each([
  ['stored uncompressed', '1.2.840.10008.1.2', 'multipart/related; type=application/octet-stream; transfer-syntax=*'],
  [
    'stored as RLE',
    '1.2.840.10008.1.2.5',
    'multipart/related; type="application/octet-stream"; transfer-syntax=1.2.840.10008.1.2.1',
  ],
])('for a frame that is %s, requests a form that the browser can read', async (_, syntax, accept) => {
  const accepted = answerParts(cells);

  await read(imageWith(syntax));

  expect(accepted).toEqual([accept]);
});

test('takes a frame of odd length with its padding byte', async () => {
  answerParts(Uint8Array.of(1, 2, 3, 0));

  const eight = { [tag.BitsAllocated]: of(8), [tag.BitsStored]: of(8), [tag.HighBit]: of(7) };

  expect([...(await read(imageWith('1.2.840.10008.1.2.1', eight)))]).toEqual([1, 2, 3]);
});

test.each([
  ['is too short', [cells.subarray(2)]],
  ['is too long', [new Uint8Array(8)]],
  ['has two parts', [cells, cells]],
])('refuses an answer that %s', async (_, parts) => {
  answerParts(...parts);

  await expect(read(imageWith('1.2.840.10008.1.2.1'))).rejects.toThrow('The answer is not the frame');
});
