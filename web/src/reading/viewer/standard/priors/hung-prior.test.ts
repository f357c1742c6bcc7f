import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { answer, serve, signIn } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { type SeriesImage, seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { hungPrior } from './hung-prior.ts';

const text = (value: string) => ({ vr: 'CS', Value: [value] });
const mammogramImage = (side: string, view: string): SeriesImage => {
  const header: DicomJson = {
    [tag.Modality]: text('MG'),
    [tag.ImageLaterality]: text(side),
    [tag.ViewPosition]: text(view),
  };
  return { imageId: `${side} ${view}`, header, frame: 1, numberOfFrames: 1, instanceNumber: 1, plane: undefined };
};

const [base] = studyDetails().series;
const mammogram = (id: string, views: readonly (readonly [string, string])[]): [StudyDetails, SeriesImage[]] => {
  if (!base) throw new Error('The sample study has a series');
  const series = { ...base, seriesInstanceUID: `${id}.1`, modality: 'MG', instanceCount: views.length };
  return [
    studyDetails({ id, studyInstanceUID: id, series: [series] }),
    views.map(([side, view]) => mammogramImage(side, view)),
  ];
};

const [study, images] = mammogram('2.25.1', [
  ['R', 'CC'],
  ['L', 'CC'],
]);
const [prior, priorImages] = mammogram('2.25.2', [
  ['R', 'MLO'],
  ['L', 'CC'],
]);
const panes = [undefined, ...images.map((_, start) => study.series[0] && { series: study.series[0], start })];

/** Hangs the prior as the server knows it now. The headers of both studies are loaded. */
const hung = async (stored: StudyDetails) => {
  signIn();
  serve(answer(studies.get, () => stored));
  const client = new QueryClient();
  client.setQueryData(seriesImages('2.25.1', '2.25.1.1').queryKey, images);
  client.setQueryData(seriesImages('2.25.2', '2.25.2.1').queryKey, priorImages);
  const contents = await hungPrior(client, study, panes, prior.id);
  return contents.map((content) => content && `${content.study.id} ${priorImages[content.start]?.imageId}`);
};

test('each view hangs with the same view of the prior, and a view that the prior lacks stays empty', async () => {
  expect(await hung(prior)).toEqual([undefined, undefined, '2.25.2 L CC']);
});

test('a prior does not hang if it has moved to another patient since', async () => {
  expect(await hung({ ...prior, patient: { ...prior.patient, id: 'other' } })).toEqual([]);
});
