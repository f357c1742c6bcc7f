import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { answerBytes, serve, show } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import type { Clip } from '#reading/viewer/images/cine/clips.ts';
import { ClipStrip } from './clip-strip.tsx';
import { useClipPanes } from './use-clip-panes.ts';
import { useClips } from './use-clips.ts';

const [one] = studyDetails().series;
const echo = studyDetails({
  series: one ? [{ ...one, seriesInstanceUID: '2.25.6', modality: 'US', instanceCount: 2 }] : [],
});

/** Strip of a study to which a button press adds a clip. */
function ComingClips({ onCome }: { onCome: () => void }) {
  const [study, setStudy] = useState<StudyDetails>(echo);
  const clipQuery = useClips(study);
  const panes = useClipPanes(clipQuery.clips, 1);
  const come = () => {
    onCome();
    setStudy({ ...echo, series: echo.series.map((series) => ({ ...series, instanceCount: 3 })) });
  };
  return (
    <>
      <p>{clipQuery.clips.length} clips</p>
      <button onClick={come}>A clip comes in</button>
      <ClipStrip study={study} clips={clipQuery.clips} panes={panes} clipQuery={clipQuery} />
    </>
  );
}

test('each clip has the menu of its series, with the actions on this clip', async () => {
  serve(
    answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () =>
      Response.json(
        [1, 2].map((number) => ({
          '00080018': { vr: 'UI', Value: [`2.25.6.${number}`] },
          '00280010': { vr: 'US', Value: [64] },
        })),
      ),
    ),
    answerBytes(
      '/api/wado-rs/studies/:study/series/:series/instances/:instance/frames/:frame/rendered',
      () => new Response('{}', { status: 404 }),
    ),
  );
  function Clips() {
    const clipQuery = useClips(echo);
    const panes = useClipPanes(clipQuery.clips, 1);
    const menuFor = ({ seriesInstanceUID, key }: Clip) => <p>{`Menu of ${seriesInstanceUID}, clip ${key}`}</p>;
    return <ClipStrip study={echo} clips={clipQuery.clips} panes={panes} clipQuery={clipQuery} menuFor={menuFor} />;
  }
  show(<Clips />);

  expect(await screen.findByText('Menu of 2.25.6, clip 2.25.6.1')).toBeTruthy();
  expect(screen.getByText('Menu of 2.25.6, clip 2.25.6.2')).toBeTruthy();
});

test('new clips are announced, and shown on request', async () => {
  let stored = 2;
  serve(
    answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () =>
      Response.json(
        Array.from({ length: stored }, (_, number) => ({
          '00080018': { vr: 'UI', Value: [`2.25.6.${number}`] },
          '00280010': { vr: 'US', Value: [64] },
        })),
      ),
    ),
    answerBytes(
      '/api/wado-rs/studies/:study/series/:series/instances/:instance/frames/:frame/rendered',
      () => new Response('{}', { status: 404 }),
    ),
  );
  show(<ComingClips onCome={() => (stored = 3)} />);
  await screen.findByText('2 clips');
  expect(screen.queryByRole('button', { name: /new image/ })).toBeNull();

  await userEvent.click(screen.getByRole('button', { name: 'A clip comes in' }));
  expect(screen.getByText('2 clips')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show 1 new image' }));

  expect(await screen.findByText('3 clips')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /new image/ })).toBeNull();
});
