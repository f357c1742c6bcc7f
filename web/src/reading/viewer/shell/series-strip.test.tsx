import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { answerBytes, serve, show } from '#test/screen.tsx';
import { seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { SeriesStrip } from './series-strip.tsx';

const series = (number: number, modality: string, seriesDescription: string): SeriesSummary => ({
  id: `s${number}`,
  seriesInstanceUID: `2.25.${number}`,
  seriesNumber: number,
  seriesDescription,
  modality,
  bodyPartExamined: '',
  instanceCount: number * 10,
});

const chest = series(1, 'CT', 'Chest');
const bone = series(2, 'CT', 'Chest bone');
const dose = series(3, 'SR', 'Dose report');
const curves = series(5, 'ECG', 'Rest');

const noThumbnails = answerBytes(
  '/api/wado-rs/studies/:study/series/:series/rendered',
  () => new Response('{}', { status: 404 }),
);

test('a click on a series shows it, and the shown series is marked', async () => {
  serve(noThumbnails);
  const chosenSeries: SeriesSummary[] = [];
  show(
    <SeriesStrip
      studyUid="2.25.0"
      series={[chest, bone]}
      shown={['2.25.1']}
      current="2.25.1"
      onChoose={(one) => chosenSeries.push(one)}
    />,
  );

  await userEvent.click(screen.getByRole('button', { name: /Chest bone.*20 images/ }));

  expect(chosenSeries).toEqual([bone]);
  expect(screen.getByRole('button', { current: true }).textContent).toContain('Chest');
});

test('a series without a viewer says what it contains and cannot be chosen', () => {
  serve(noThumbnails);

  show(<SeriesStrip studyUid="2.25.0" series={[curves]} shown={[]} current={undefined} onChoose={() => {}} />);

  const entry = screen.getByRole('button', { name: /Rest.*Electrocardiogram: not shown here/ });
  expect(entry).toHaveProperty('disabled', true);
});

test('a viewer for images only links to the standard viewer for other series', async () => {
  serve(noThumbnails);
  const chosenSeries: SeriesSummary[] = [];
  const led: SeriesSummary[] = [];
  const outlines = series(6, 'SEG', 'Liver');
  show(
    <SeriesStrip
      studyUid="2.25.0"
      series={[chest, dose, outlines, curves]}
      shown={[]}
      current={undefined}
      onChoose={(one) => chosenSeries.push(one)}
      onStandard={(one) => led.push(one)}
    />,
  );

  await userEvent.click(screen.getByRole('button', { name: /Dose report.*Structured report: in the standard viewer/ }));
  await userEvent.click(screen.getByRole('button', { name: /Liver.*Segmentation: in the standard viewer/ }));
  await userEvent.click(screen.getByRole('button', { name: /Chest/ }));

  expect(led).toEqual([dose, outlines]);
  expect(chosenSeries).toEqual([chest]);
  expect(screen.getByRole('button', { name: /Rest.*not shown here/ })).toHaveProperty('disabled', true);
});

test('in a viewer for documents, a document series shows the titles of its documents and can be chosen', async () => {
  serve(
    answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () =>
      Response.json([
        {
          '00080018': { vr: 'UI', Value: ['2.25.9'] },
          '00420010': { vr: 'ST', Value: ['Referral letter'] },
          '00420012': { vr: 'LO', Value: ['application/pdf'] },
        },
      ]),
    ),
  );
  const letters = { ...series(4, 'DOC', 'Scanned'), instanceCount: 1 };
  const chosenSeries: SeriesSummary[] = [];

  show(
    <SeriesStrip
      studyUid="2.25.0"
      series={[letters]}
      shown={[]}
      current={undefined}
      opensDocuments
      onChoose={(one) => chosenSeries.push(one)}
    />,
  );
  await userEvent.click(await screen.findByRole('button', { name: /4\s*Referral letter.*DOC.*Document/ }));

  expect(chosenSeries).toEqual([letters]);
});

/** Shows a pane and the strip. The series gains three images when a button is pressed. */
function PaneAndStrip({ of, onCome }: { of: SeriesSummary; onCome: () => void }) {
  const [more, setMore] = useState(0);
  const { data } = useQuery(seriesImages('2.25.0', of.seriesInstanceUID));
  const now = { ...of, instanceCount: of.instanceCount + more };
  const come = () => {
    onCome();
    setMore(3);
  };
  return (
    <>
      <p>{data ? `${data.length} in the pane` : 'Loading'}</p>
      <button onClick={come}>Images come in</button>
      <SeriesStrip studyUid="2.25.0" series={[now]} shown={[]} current={undefined} onChoose={() => {}} />
    </>
  );
}

test('a series with new images since loading shows the number of new images and loads them on request', async () => {
  let stored = 2;
  serve(
    noThumbnails,
    answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () =>
      Response.json(
        Array.from({ length: stored }, (_, number) => ({
          '00080018': { vr: 'UI', Value: [`2.25.7.${number}`] },
          '00280010': { vr: 'US', Value: [64] },
        })),
      ),
    ),
  );
  const coming = { ...series(7, 'CT', 'Abdomen'), instanceCount: 2 };
  show(<PaneAndStrip of={coming} onCome={() => (stored = 5)} />);
  await screen.findByText('2 in the pane');
  expect(screen.queryByRole('button', { name: /new image/ })).toBeNull();

  await userEvent.click(screen.getByRole('button', { name: 'Images come in' }));
  expect(screen.getByText('2 in the pane')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show 3 new images' }));

  expect(await screen.findByText('5 in the pane')).toBeTruthy();
  expect(screen.getByRole('button', { name: /Abdomen.*5 images/ })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /new image/ })).toBeNull();
});

const counts = (images: number, documents: number, others = 0) => ({ images, documents, others });

test('if a series has images and a report, the report has its own entry, which opens the report', async () => {
  serve(
    noThumbnails,
    answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () =>
      Response.json([
        {
          '00080018': { vr: 'UI', Value: ['2.25.9'] },
          '0040A040': { vr: 'CS', Value: ['CONTAINER'] },
          '0040A043': { vr: 'SQ', Value: [{ '00080104': { vr: 'LO', Value: ['Obstetric report'] } }] },
        },
        { '00080018': { vr: 'UI', Value: ['2.25.10'] }, '00280010': { vr: 'US', Value: [64] } },
      ]),
    ),
  );
  const chosenParts: (string | undefined)[] = [];
  const mixed = { ...series(7, 'US', 'Fetus'), contents: counts(1, 1) };
  show(
    <SeriesStrip
      studyUid="2.25.0"
      series={[mixed]}
      shown={['2.25.7']}
      current="2.25.7"
      onChoose={(_, part) => chosenParts.push(part)}
      opensDocuments
    />,
  );

  await userEvent.click(await screen.findByRole('button', { name: /Obstetric report/ }));
  await userEvent.click(screen.getByRole('button', { name: /Fetus.*1 image/, current: true }));

  expect(chosenParts).toEqual(['documents', undefined]);
});

test('a PDF under the modality of a device opens as a document, and curves open for download', async () => {
  serve(
    noThumbnails,
    answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () => Response.json([])),
  );
  const chosenDescriptions: string[] = [];
  show(
    <SeriesStrip
      studyUid="2.25.0"
      series={[
        { ...series(8, 'ECG', 'Printed curves'), contents: counts(0, 1) },
        { ...series(9, 'ECG', 'Stored curves'), contents: counts(0, 0, 1) },
        { ...series(10, 'MR', 'Raw data'), contents: counts(0, 0, 1) },
      ]}
      shown={[]}
      current={undefined}
      onChoose={(one) => chosenDescriptions.push(one.seriesDescription)}
      opensDocuments
    />,
  );

  await userEvent.click(screen.getByRole('button', { name: /Printed curves.*Document/ }));
  await userEvent.click(screen.getByRole('button', { name: /Stored curves.*Electrocardiogram/ }));
  await userEvent.click(screen.getByRole('button', { name: /Raw data.*Data without images/ }));

  expect(chosenDescriptions).toEqual(['Printed curves', 'Stored curves', 'Raw data']);
});

test('a slide shows its thumbnail without its headers, and viewers for slices link to the standard viewer', async () => {
  const calls = serve(noThumbnails);
  const contents = { images: 0, documents: 0, others: 0, videos: 0, slides: 5 };
  const slide: SeriesSummary = { ...series(6, 'SM', 'HE'), contents };
  const opened: SeriesSummary[] = [];
  const usual = { studyUid: '2.25.0', series: [slide], shown: [], current: undefined };

  const standard = show(<SeriesStrip {...usual} onChoose={(one) => opened.push(one)} opensDocuments />);
  await userEvent.click(screen.getByRole('button', { name: /HE.*Slide$/ }));
  standard.unmount();
  show(<SeriesStrip {...usual} onChoose={() => {}} onStandard={(one) => opened.push(one)} />);
  await userEvent.click(screen.getByRole('button', { name: /HE.*Slide: in the standard viewer/ }));

  expect(opened).toEqual([slide, slide]);
  expect(calls.every(({ url }) => url.pathname.endsWith('/rendered'))).toBe(true);
});
