import { metaData, type Types } from '@cornerstonejs/core';
import { expect, test } from 'vitest';
import { answerBytes, serve, signIn } from '#test/screen.tsx';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { grayTablesOf, learnTables } from '#reading/viewer/images/gray/lookup-tables.ts';
import { reasonOf } from '#reading/viewer/engine/stack/image-arrival.ts';
import { provideTables, withTables } from './load-lookup-tables.ts';

const instance = 'wadors:/api/wado-rs/studies/1/series/2/instances';
const numbers = (...values: number[]) => ({ vr: 'US', Value: values });

/** Registers a radiograph whose VOI LUT is stored outside its header. */
const learnedApart = (uid: string): string => {
  const item = { [tag.LUTDescriptor]: numbers(2, 0, 16), [tag.LUTData]: { vr: 'OW', BulkDataURI: '/x/bulkdata/lut' } };
  learnTables(`${instance}/${uid}/frames/1`, { [tag.VOILUTSequence]: { vr: 'SQ', Value: [item] } });
  return `${instance}/${uid}/frames/1`;
};

const answerTables = (reply: () => Response) => {
  signIn();
  const requestedPaths: string[] = [];
  serve(
    answerBytes('/api/wado-rs/studies/1/series/2/instances/:uid/bulkdata/lut', ({ url }) => {
      requestedPaths.push(url.pathname);
      return reply();
    }),
  );
  return requestedPaths;
};

test('the lookup tables of an image are fetched once, before the image loads', async () => {
  const requestedPaths = answerTables(() => new Response(Uint16Array.of(0, 65_535)));
  const imageId = learnedApart('1.1');
  const load = withTables(() => ({
    promise: Promise.resolve({ imageId: `with ${grayTablesOf(imageId).tables.length} table` } as Types.IImage),
  }));

  expect(await load(imageId).promise).toEqual({ imageId: 'with 1 table' });
  await load(imageId).promise;
  expect(requestedPaths).toEqual(['/api/wado-rs/studies/1/series/2/instances/1.1/bulkdata/lut']);
});

test('an image without its lookup table fails, and a retry fetches the table again', async () => {
  let isThere = false;
  answerTables(() => (isThere ? new Response(Uint16Array.of(0, 1)) : new Response('', { status: 404 })));
  const imageId = learnedApart('1.2');
  const load = withTables(() => ({ promise: Promise.resolve({ imageId } as Types.IImage) }));

  const error: unknown = await load(imageId).promise.catch((failure: unknown) => failure);
  expect(reasonOf(error)).toMatch(/^A lookup table could not be loaded: .*404\.$/);

  isThere = true;
  expect(await load(imageId).promise).toEqual({ imageId });
});

test('the library gets a palette as bytes, with one first value for all channels', () => {
  provideTables();
  const imageId = `${instance}/1.3/frames/1`;
  const channel = (first: number, ...values: number[]) =>
    [numbers(values.length, first, 16), numbers(...values)] as const;
  const [red, green, blue] = [channel(10, 0, 51_200), channel(11, 256), channel(10, 0, 0, 65_535)];
  const header: DicomJson = {
    [tag.PhotometricInterpretation]: { vr: 'CS', Value: ['PALETTE COLOR'] },
    [tag.RedPaletteColorLookupTableDescriptor]: red[0],
    [tag.RedPaletteColorLookupTableData]: red[1],
    [tag.GreenPaletteColorLookupTableDescriptor]: green[0],
    [tag.GreenPaletteColorLookupTableData]: green[1],
    [tag.BluePaletteColorLookupTableDescriptor]: blue[0],
    [tag.BluePaletteColorLookupTableData]: blue[1],
  };
  learnTables(imageId, header);

  expect(metaData.get('colourTables', imageId)).toEqual({
    first: 10,
    tables: [Uint8Array.of(0, 200, 200), Uint8Array.of(1, 1, 1), Uint8Array.of(0, 0, 255)],
  });
});
