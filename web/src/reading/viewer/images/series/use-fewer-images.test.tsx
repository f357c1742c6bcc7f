import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { answerBytes, serve, show } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { seriesImages } from './series-loader.ts';
import { useFewerImages } from './use-fewer-images.ts';

/** Shows the number of loaded images. The study loses images when the button is pressed. */
function Viewer({ onReject }: { onReject: () => void }) {
  const [instanceCount, setCount] = useState(3);
  const [first] = studyDetails().series;
  const study = studyDetails({ series: first ? [{ ...first, instanceCount }] : [] });
  useFewerImages(study);
  const { data } = useQuery(seriesImages(study.studyInstanceUID, first?.seriesInstanceUID ?? ''));
  return (
    <>
      <p>{data ? `${data.length} images` : 'Loading'}</p>
      <button
        onClick={() => {
          onReject();
          setCount(2);
        }}
      >
        Reject
      </button>
    </>
  );
}

test('a rejected image leaves a loaded series without a choice of the reader', async () => {
  let stored = 3;
  serve(
    answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () =>
      Response.json(
        Array.from({ length: stored }, (_, number) => ({
          '00080018': { vr: 'UI', Value: [`2.25.11.${number}`] },
          '00280010': { vr: 'US', Value: [64] },
        })),
      ),
    ),
  );
  show(<Viewer onReject={() => (stored = 2)} />);
  await screen.findByText('3 images');

  await userEvent.click(screen.getByRole('button', { name: 'Reject' }));

  expect(await screen.findByText('2 images')).toBeDefined();
});
