import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { answerBytes, serve, signIn } from '#test/screen.tsx';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { seriesImages } from './series-loader.ts';

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

test('the series loader makes one image of each frame, with its address on the server', async () => {
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

test('the series loader leaves out instances without pixel rows', async () => {
  signIn();
  serve(metadata({ [tag.SOPInstanceUID]: element('1.2.3') }, instance(4)));

  const images = await client.fetchQuery(seriesImages('9.1', '9.3'));

  expect(images.map(({ instanceNumber }) => instanceNumber)).toEqual([4]);
});

test('an enhanced image with one frame takes its position from its functional groups', async () => {
  const sequence = (item: object) => ({ vr: 'SQ', Value: [item] });
  const numbers = (...Value: number[]) => ({ vr: 'DS', Value });
  const shared = {
    [tag.PlaneOrientationSequence]: sequence({ [tag.ImageOrientationPatient]: numbers(-1, 0, 0, 0, 0, -1) }),
    [tag.PixelValueTransformationSequence]: sequence({ [tag.RescaleIntercept]: numbers(-1024) }),
  };
  const own = { [tag.PlanePositionSequence]: sequence({ [tag.ImagePositionPatient]: numbers(90, 0, 90) }) };
  signIn();
  serve(
    metadata(
      instance(1, {
        [tag.NumberOfFrames]: element(1),
        [tag.SharedFunctionalGroupsSequence]: sequence(shared),
        [tag.PerFrameFunctionalGroupsSequence]: sequence(own),
      }),
    ),
  );

  const [image] = await client.fetchQuery(seriesImages('9.1', '9.4'));

  expect(image?.plane).toEqual({ position: [90, 0, 90], along: [-1, 0, 0], down: [0, 0, -1] });
  expect(image?.header).toMatchObject({
    [tag.ImageOrientationPatient]: numbers(-1, 0, 0, 0, 0, -1),
    [tag.ImagePositionPatient]: numbers(90, 0, 90),
    [tag.RescaleIntercept]: numbers(-1024),
  });
});
