import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { answerBytes, serve, signIn } from '#test/screen.tsx';
import { tag } from './dicom-json.ts';
import { frameRateOf, seriesImages } from './series-loader.ts';

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });

const element = (value: unknown) => ({ vr: 'UN', Value: [value] });
const instance = (number: number, more: object = {}) => ({
  [tag.SOPInstanceUID]: element(`1.2.${number}`),
  [tag.InstanceNumber]: element(number),
  [tag.Rows]: element(64),
  ...more,
});

const metadata = (...instances: object[]) =>
  answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () => Response.json(instances));

test('every frame is an image of its own, at the address where the server keeps it', async () => {
  signIn();
  const calls = serve(metadata(instance(2), instance(1, { [tag.NumberOfFrames]: element('2') })));

  const images = await client.fetchQuery(seriesImages('9.1', '9.2'));

  expect(images.map(({ imageId }) => imageId)).toEqual([
    'wadors:/api/wado-rs/studies/9.1/series/9.2/instances/1.2.1/frames/1',
    'wadors:/api/wado-rs/studies/9.1/series/9.2/instances/1.2.1/frames/2',
    'wadors:/api/wado-rs/studies/9.1/series/9.2/instances/1.2.2/frames/1',
  ]);
  expect(calls[0]?.headers.get('accept')).toBe('application/dicom+json');
});

test('what has no rows of pixels is not among the images', async () => {
  signIn();
  serve(metadata({ [tag.SOPInstanceUID]: element('1.2.3') }, instance(4)));

  const images = await client.fetchQuery(seriesImages('9.1', '9.3'));

  expect(images.map(({ instanceNumber }) => instanceNumber)).toEqual([4]);
});

test('a film is played at the rate it recommends, else as its frame time says, else at the rate it was taken', () => {
  const taken = { [tag.CineRate]: element(25) };
  const timed = { ...taken, [tag.FrameTime]: element('40.0') };
  const recommended = { ...timed, [tag.RecommendedDisplayFrameRate]: element(30) };

  expect([recommended, timed, taken, {}].map(frameRateOf)).toEqual([30, 25, 25, undefined]);
});
