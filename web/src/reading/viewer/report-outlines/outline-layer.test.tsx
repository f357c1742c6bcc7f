import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { describeShown, type View } from '#reading/viewer/engine/stack/shown-image.ts';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { answerBytes, serve, show, signIn } from '#test/screen.tsx';
import { stackWithoutScreen } from '#test/stack-without-graphics.ts';
import { studyDetails } from '#test/studies.ts';
import { OutlineLayer } from './outline-layer.tsx';

const of = (...values: unknown[]) => ({ vr: 'UN', Value: values });
const code = (value: string, meaning: string) => of({ '00080100': of(value), '00080104': of(meaning) });

/** Report of another program: a point on an image, with its measured value. */
const reportOn = (image: string, manufacturer: string) => ({
  [tag.SOPInstanceUID]: of('2.25.9'),
  '00080070': of(manufacturer),
  '0040A040': of('CONTAINER'),
  '0040A043': code('1', 'AI nodule'),
  '0040A730': of({
    '0040A040': of('NUM'),
    '0040A043': code('2', 'Long Axis'),
    '0040A300': of({ '0040A30A': of(20), '004008EA': code('mm', 'mm') }),
    '0040A730': of({
      '0040A040': of('SCOORD'),
      '00700022': of(1, 2),
      '00700023': of('POINT'),
      '0040A730': of({ '0040A040': of('IMAGE'), '00081199': of({ '00081155': of(image) }) }),
    }),
  }),
});

const study = studyDetails();
const [anySeries] = study.series;
if (!anySeries) throw new Error('The study has no series');
const withReport = { ...study, series: [{ ...anySeries, modality: 'SR' }] };

let lastNumber = 0;

const showLayer = async (image: string, manufacturer = 'TEST') => {
  lastNumber += 1;
  const imageId = `outlined:${lastNumber}`;
  const header = { [tag.SOPInstanceUID]: of('2.25.1'), [tag.Rows]: of(4), [tag.Columns]: of(4) };
  const images = [{ imageId, header, frame: 1, numberOfFrames: 1, instanceNumber: 1, plane: undefined }];
  const viewport = await stackWithoutScreen([{ imageId, center: 500.5, width: 1001 }]);
  const view: View = { viewport, images };
  const shownImage = describeShown(view);
  if (!shownImage) throw new Error('Nothing is drawn');
  signIn();
  serve(
    answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () =>
      Response.json([reportOn(image, manufacturer)]),
    ),
  );
  show(<OutlineLayer view={view} shownImage={shownImage} study={withReport} />);
};

test('an outline of a foreign report is drawn on its image with its value, and can be hidden', async () => {
  await showLayer('2.25.1');

  expect(await screen.findByText('Outlines of AI nodule')).toBeDefined();
  expect(screen.getByText('Long Axis: 20 mm')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Hide' }));
  expect(screen.queryByText('Long Axis: 20 mm')).toBeNull();
});

test('a report of this program is drawn only on demand, because its measurements are on the image', async () => {
  await showLayer('2.25.1', 'Radwork');

  await userEvent.click(await screen.findByRole('button', { name: 'Show' }));

  expect(screen.getByText('Long Axis: 20 mm')).toBeDefined();
});
