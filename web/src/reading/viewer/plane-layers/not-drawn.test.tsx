import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { show } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { NotDrawn } from './not-drawn.tsx';
import { usePlaneLayers } from './use-plane-layers.ts';

const withSeries = (...modalities: string[]) => {
  const [series] = studyDetails().series;
  if (!series) throw new Error('The study has no series');
  return studyDetails({
    series: modalities.map((modality, at) => ({ ...series, id: `${at}`, seriesInstanceUID: `2.25.${at}`, modality })),
  });
};

function Named({ study }: { study: ReturnType<typeof studyDetails> }) {
  const layers = usePlaneLayers(study);
  return (
    <>
      <NotDrawn layers={layers} />
      <button onClick={layers.segments.toggle}>Segments</button>
    </>
  );
}

test('planes name the segmentation, dose and presentation states that they do not draw', async () => {
  show(<Named study={withSeries('CT', 'SEG', 'RTDOSE', 'PR')} />);

  expect(screen.getByText('Not drawn here: segments, dose, presentation states')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Segments' }));
  expect(screen.getByText('Not drawn here: dose, presentation states')).toBeDefined();
});

test('planes of a study without such parts name nothing', () => {
  show(<Named study={withSeries('CT', 'MR')} />);

  expect(screen.queryByText(/Not drawn here/)).toBeNull();
});
