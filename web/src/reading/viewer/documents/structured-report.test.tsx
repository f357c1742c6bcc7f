import { readHeader } from '@radwork/dicom/header';
import { studyDocuments } from '@radwork/phantom/studies';
import { documentTruth } from '@radwork/phantom/known-values';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answerBytes, serve, show, signIn } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { DocumentPane } from './document-pane.tsx';

const options = {
  seed: 'reports',
  patient: { PatientName: 'Docu^Dora', PatientID: 'P-1', PatientBirthDate: '19610203', PatientSex: 'F' as const },
  studyDate: '20261112',
  accessionNumber: 'R-1',
  slices: 20,
  size: 64,
};
const truth = documentTruth.content(options);
const headerOf = (folder: string) => {
  const file = [...studyDocuments(options)].find(({ name }) => name.startsWith(folder));
  if (!file) throw new Error(`There is no ${folder}`);
  return readHeader(file.bytes).dataset;
};

const [anySeries] = studyDetails().series;
if (!anySeries) throw new Error('The study has no series');
const images = { ...anySeries, modality: 'CT', seriesNumber: 1, seriesInstanceUID: '2.25.1000' };
const reports = { ...anySeries, modality: 'SR', seriesNumber: 91, seriesInstanceUID: '2.25.1001' };
const study = studyDetails({ series: [images, reports] });

const text = (vr: string, value: string) => ({ vr, Value: [value] });

/** Archive that returns each requested instance as the image with this number. */
const archiveHolding = (number: number) =>
  answerBytes('/api/qido-rs/studies/:study/instances', ({ url }) =>
    Response.json(
      (url.searchParams.get('SOPInstanceUID') ?? '').split(',').map((uid) => ({
        '00080018': text('UI', uid),
        '0020000E': text('UI', images.seriesInstanceUID),
        '00200013': { vr: 'IS', Value: [number] },
      })),
    ),
  );
const emptyArchive = answerBytes('/api/qido-rs/studies/:study/instances', () => new Response(null, { status: 204 }));

const showReport = (header: object, archive = emptyArchive) => {
  signIn();
  serve(
    answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () => Response.json([header])),
    answerBytes('/api/wado-rs/studies/:study/series/:series/instances/:instance/frames/:frame/rendered', () =>
      Response.json({}, { status: 404 }),
    ),
    archive,
  );
  const gone: object[] = [];
  return { gone, ...show(<DocumentPane study={study} series={reports} onGoTo={(place) => gone.push(place)} />) };
};

test('a structured report shows title, findings with units, observer and missing verification', async () => {
  showReport(headerOf('SRTEXT'), archiveHolding(truth.report.on.image));

  expect(await screen.findByRole('heading', { level: 2, name: truth.report.title })).toBeDefined();
  const region = within(await screen.findByRole('region', { name: truth.report.title }));
  expect(region.getByRole('heading', { level: 3, name: 'Findings' })).toBeDefined();
  expect(region.getByText(truth.report.finding)).toBeDefined();
  expect(region.getByText('Diameter').nextElementSibling?.textContent).toBe(`${truth.report.diameter} mm`);
  expect(region.getByText('Impression Description').nextElementSibling?.textContent).toBe('Nodule');
  expect(region.getByText('Person Observer Name').nextElementSibling?.textContent).toBe('Okafor Ngozi Dr');
  expect(region.getByText(/^Not verified/)).toBeDefined();
  expect(region.getByText('Docu, Dora')).toBeDefined();
  expect(region.getByText('Circle')).toBeDefined();
});

test('a structured report links a referenced image by series and number', async () => {
  const { gone } = showReport(headerOf('SRTEXT'), archiveHolding(truth.report.on.image));

  await userEvent.click(await screen.findByRole('button', { name: `Series 1 · Image ${truth.report.on.image}` }));

  expect(gone).toEqual([
    { seriesInstanceUID: images.seriesInstanceUID, sopInstanceUID: expect.stringMatching(/^[\d.]+$/), frame: 1 },
  ]);
});

test('a structured report shows a reference outside its study as text, without a link', async () => {
  showReport(headerOf('SRTEXT'));

  expect(await screen.findByText(/^Not in this study:/)).toBeDefined();
  expect(screen.queryByRole('button', { name: /Image/ })).toBeNull();
});

test('key image notes are shown as text with one link and one thumbnail for each image', async () => {
  const { gone } = showReport(headerOf('KO'), archiveHolding(7));

  expect(await screen.findByText(truth.keyImages.words)).toBeDefined();
  const links = await screen.findAllByRole('button', { name: /^Series 1 · Image 7/ });
  expect(links).toHaveLength(truth.keyImages.images.length);
  await userEvent.click(links[1] ?? document.body);
  expect(gone).toHaveLength(1);
});

/** Key image notes with `count` images. */
const notesOf = (count: number) => ({
  '00080018': text('UI', '2.25.3'),
  '00080060': text('CS', 'KO'),
  '0040A040': text('CS', 'CONTAINER'),
  '0040A730': {
    vr: 'SQ',
    Value: [
      {
        '0040A040': text('CS', 'IMAGE'),
        '00081199': {
          vr: 'SQ',
          Value: Array.from({ length: count }, (_, at) => ({ '00081155': text('UI', `2.25.${at + 100}`) })),
        },
      },
    ],
  },
});

test('a document with many key images loads 50 of them, and more on request', async () => {
  showReport(notesOf(120), archiveHolding(7));

  expect(await screen.findByText('50 of 120 images')).toBeDefined();
  expect(await screen.findAllByRole('button', { name: 'Series 1 · Image 7' })).toHaveLength(50);
  await userEvent.click(screen.getByRole('button', { name: 'Show 50 more' }));
  expect(screen.getAllByRole('button', { name: 'Series 1 · Image 7' })).toHaveLength(100);
  await userEvent.click(screen.getByRole('button', { name: 'Show 20 more' }));
  expect(screen.getAllByRole('button', { name: 'Series 1 · Image 7' })).toHaveLength(120);
  expect(screen.queryByText(/of 120 images/)).toBeNull();
});

const hostile = [
  '<img src=x onerror=window.__xss=1>',
  '"><svg onload=window.__xss=1>',
  '</script><script>window.__xss=1</script>',
  '<iframe srcdoc="<script>parent.__xss=1</script>"></iframe>',
  'javascript:window.__xss=1',
];

test.each(hostile)('the HTML %s in any field of a structured report is shown as text only', async (words) => {
  const code = (meaning: string) => ({ vr: 'SQ', Value: [{ '00080104': text('LO', meaning) }] });
  const item = (type: string, more: object) => ({ '0040A040': text('CS', type), '0040A043': code(words), ...more });
  const header = {
    '00080018': text('UI', '2.25.3'),
    '00080060': text('CS', words),
    '00100010': { vr: 'PN', Value: [{ Alphabetic: words }] },
    '00100020': text('LO', words),
    '0040A493': text('CS', words),
    '0040A040': text('CS', 'CONTAINER'),
    '0040A043': code(words),
    '0040A730': {
      vr: 'SQ',
      Value: [
        item('TEXT', { '0040A160': text('UT', words) }),
        item('CODE', { '0040A168': code(words) }),
        item('PNAME', { '0040A123': { vr: 'PN', Value: [{ Alphabetic: words }] } }),
        item('UIDREF', { '0040A124': text('UI', words) }),
        item('DATETIME', { '0040A120': text('DT', words) }),
        item(words, {}),
        item('IMAGE', { '00081199': { vr: 'SQ', Value: [{ '00081155': text('UI', words) }] } }),
        item('CONTAINER', {}),
      ],
    },
  };

  const { container } = showReport(header);

  await screen.findByRole('article');
  expect(container.querySelectorAll('script, iframe, img, object, embed, [onload], [onerror], a[href]')).toHaveLength(
    0,
  );
  expect(container.textContent.split(words).length).toBeGreaterThan(12);
  expect(screen.getByText(`(Content of the unknown type ${words})`)).toBeDefined();
});
