import { expect, test } from 'vitest';
import { answerBytes, serve, signIn } from '#test/screen.tsx';
import { readHeaders, seriesHeaderOf } from './series-headers.ts';

test('frames are requested with the ID of the stored series, which a replacement with the same UIDs changes', async () => {
  signIn();
  const path = '/api/wado-rs/studies/:study/series/:series/metadata';
  const imageId = 'wadors:/api/wado-rs/studies/8.1/series/8.2/instances/8.3/frames/1';
  const read = async (version: string) => {
    serve(answerBytes(path, () => Response.json([], { headers: { 'x-series': version } })));
    await readHeaders('8.1', '8.2', new AbortController().signal);
    return seriesHeaderOf(imageId);
  };

  expect(seriesHeaderOf(imageId)).toEqual({});
  expect(await read('deleted')).toEqual({ 'x-series': 'deleted' });
  expect(await read('replacement')).toEqual({ 'x-series': 'replacement' });
  expect(seriesHeaderOf('wadors:/api/wado-rs/studies/8.1/series/8.9/instances/8.3/frames/1')).toEqual({});
});
