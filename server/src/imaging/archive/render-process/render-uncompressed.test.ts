import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { newUid } from '@radwork/dicom/uid';
import { expect, onTestFinished, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { compressed } from '#test/compress-pixels.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { grayOf12Bits, NotRenderable } from '#imaging/archive/pixels/pixel-format.ts';
import { renderUncompressed } from './render-uncompressed.ts';
import { renderedOptions } from '#imaging/archive/render/rendered-options.ts';

const losslessJpeg = '1.2.840.10008.1.2.4.70';

type Elements = Parameters<typeof image>[0];
type File = Parameters<typeof image>[1];

/** Starts a server with one stored image. Records the processes that it starts afterward. */
const withImage = async (elements: Elements = {}, file: File = {}) => {
  const world = await createWorld();
  const person = await world.signIn();
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
  await storeAs(person, image({ ...uids, ...elements }, file));
  const path = `/studies/${uids.StudyInstanceUID}/series/${uids.SeriesInstanceUID}/instances/${uids.SOPInstanceUID}`;
  const processes: ChildProcess[] = [];
  const note = (message: unknown) => {
    if (typeof message !== 'object' || !message || !('process' in message)) return;
    if (message.process instanceof ChildProcess) processes.push(message.process);
  };
  subscribe('child_process', note);
  onTestFinished(() => void unsubscribe('child_process', note));
  const ask = (query = '', accept = 'image/jpeg') => getFrom(person, `${path}/rendered${query}`, { accept });
  return { ask, processes };
};

/** 16 × 16 pixels of 16 bits. */
const ramp = Buffer.from(Uint16Array.from({ length: 256 }, (_, index) => index * 16).buffer);

test('rendering an uncompressed frame as a small image starts no process', async () => {
  const { ask, processes } = await withImage();

  const answers = [await ask(), await ask('?viewport=8,8'), await ask('?window=40,400,sigmoid')];

  expect(answers.map(({ statusCode, headers }) => [statusCode, headers['content-type']])).toEqual(
    answers.map(() => [200, 'image/jpeg']),
  );
  expect(processes).toHaveLength(0);
});

test('the server process itself never decodes a compressed frame, not even a small one', async () => {
  const file = { transferSyntaxUID: losslessJpeg, pixelData: [compressed(ramp, losslessJpeg, 16, 16)] };
  const { ask, processes } = await withImage({}, file);

  expect((await ask()).statusCode).toBe(200);

  expect(processes).toHaveLength(1);
});

test.for([
  ['a large frame', { Rows: 513, Columns: 512 }, { pixelData: Buffer.alloc(2 * 513 * 512) }, '', 'image/jpeg'],
  ['a PNG', {}, {}, '', 'image/png'],
  ['a large viewport', {}, {}, '?viewport=2000,2000', 'image/jpeg'],
] as const)('sends %s to a rendering process', async ([, elements, file, query, accept]) => {
  const { ask, processes } = await withImage(elements, file);

  expect((await ask(query, accept)).statusCode).toBe(200);

  expect(processes).toHaveLength(1);
});

test('refuses a truncated frame or a frame without a size, as a rendering process does', async () => {
  const options = renderedOptions({}, 'image/jpeg');
  const pictureOf = (rows: number) =>
    renderUncompressed(
      {
        frame: ramp,
        codec: 'none',
        format: grayOf12Bits(rows, 16),
        appearance: { slope: 1, intercept: 0, window: { center: 0, width: 400, shape: 'linear' } },
      },
      options,
    );

  expect((await pictureOf(16)).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  await expect(pictureOf(17)).rejects.toThrow(new NotRenderable('incomplete'));
  await expect(pictureOf(0)).rejects.toThrow(new NotRenderable('damaged'));
});
