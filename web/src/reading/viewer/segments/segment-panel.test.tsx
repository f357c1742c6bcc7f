import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { readHeader } from '@radwork/dicom/header';
import { patients } from '@radwork/phantom/patients';
import { binarySegmentation, ctVolume, structureSet } from '@radwork/phantom/studies';
import { markedTruth } from '@radwork/phantom/known-values';
import type { StackViewport } from '@cornerstonejs/core';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerBytes, serve, show, signIn } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { type DicomJson, numberOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { planeOf } from '#reading/viewer/images/geometry/image-plane.ts';
import { SegmentLayer } from './segment-layer.tsx';
import { useSegmentDisplay } from './segment-display.ts';
import { SegmentPanel } from './segment-panel.tsx';

const about = {
  seed: 'segment panel',
  patient: patients[0],
  studyDate: '20261112',
  accessionNumber: 'PANEL',
  slices: 20,
  size: 31,
};
const headerOf = ({ bytes }: { bytes: Buffer }) => readHeader(bytes).dataset as DicomJson;
const ct = Array.from(ctVolume(about), (file) => {
  const header = headerOf(file);
  const instanceNumber = numberOf(header, tag.InstanceNumber);
  return { imageId: '', header, frame: 1, numberOfFrames: 1, instanceNumber, plane: planeOf(header, 1) };
});
const [firstFile] = ctVolume({ ...about, slices: 1 });
const { studyInstanceUID } = readHeader(firstFile?.bytes ?? Buffer.alloc(0));
const [any] = studyDetails().series;
const seriesOf = (modality: string, seriesInstanceUID: string) =>
  ({ ...any, id: seriesInstanceUID, modality, seriesInstanceUID }) as SeriesSummary;
const study = studyDetails({
  studyInstanceUID,
  series: [seriesOf('SEG', '2.25.1'), seriesOf('RTSTRUCT', '2.25.2')] as ReturnType<typeof studyDetails>['series'],
});

/** Viewport without a drawn image, because placement needs only headers. */
const viewport = {
  element: document.createElement('div'),
  getCornerstoneImage: () => undefined,
  getImageData: () => undefined,
};
const view = { images: ct, viewport: viewport as unknown as StackViewport };
const current = { view, study, series: seriesOf('CT', '2.25.3') };

function Shown({ isDrawn }: { isDrawn: boolean }) {
  const display = useSegmentDisplay(study);
  return (
    <>
      <SegmentPanel study={study} display={display} current={current} onGoTo={() => {}} />
      {isDrawn && <SegmentLayer view={view} study={study} display={display} />}
    </>
  );
}

/** Shows the list of segments. With `isStray`, also shows the layer over the image, which fetches missing frames. */
const showSegments = (more: { isStray: boolean }) => {
  signIn();
  const answers = [
    ['2.25.1', binarySegmentation(about, more)],
    ['2.25.2', structureSet(about, more)],
  ] as const;
  serve(
    ...answers.map(([series, file]) =>
      answerBytes(`/api/wado-rs/studies/:study/series/${series}/metadata`, () => Response.json([headerOf(file)])),
    ),
  );
  show(<Shown isDrawn={more.isStray} />);
};

const [nodule] = markedTruth.binary;
const goToNodule = () => screen.findByRole('button', { name: `Go to ${nodule.name}` });

test('the panel says that segments of another frame of reference are not drawn, without links', async () => {
  showSegments({ isStray: true });

  expect(await goToNodule()).toHaveProperty('disabled', true);
  const textsMatching = (words: RegExp) => screen.findAllByText(words);
  expect(await textsMatching(/^Not shown here\. \d+ frames? not drawn: the frame of reference differs/)).toHaveLength(
    2,
  );
  expect(await textsMatching(/^Not shown here\. \d+ contours? not drawn: the frame of reference differs/)).toHaveLength(
    3,
  );
  expect(await screen.findByText('No segments can be shown on these images. Press K for the list.')).toBeDefined();
});

test('the panel links to the same segments in the frame of reference of the images', async () => {
  showSegments({ isStray: false });

  expect(await goToNodule()).toHaveProperty('disabled', false);
  expect(screen.queryAllByText(/^Not shown here/)).toHaveLength(0);
});
