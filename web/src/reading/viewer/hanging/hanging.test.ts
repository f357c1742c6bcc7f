import type { SeriesSummary } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { hang, hangSaved, type Hanging, kindOf, seriesToRead } from './hanging.ts';
import { turnOf } from './projection.ts';
import { bodyPartOf, isLocalizer, sequenceOf } from './series-description.ts';

let made = 0;
const series = (modality: string, seriesDescription = '', bodyPartExamined = ''): SeriesSummary => {
  made += 1;
  return {
    id: `s${made}`,
    seriesInstanceUID: `2.25.${made}`,
    seriesNumber: made,
    seriesDescription,
    modality,
    bodyPartExamined,
    instanceCount: 20,
  };
};

const text = (value: string | readonly string[]) => ({ vr: 'CS', Value: [value].flat() });
const film = (side: string, view: string, orientation: readonly string[] = []): DicomJson => ({
  [tag.ImageLaterality]: text(side),
  [tag.ViewPosition]: text(view),
  [tag.PatientOrientation]: text(orientation),
});
const image = (header: DicomJson, numberOfFrames = 1): SeriesImage => ({
  imageId: '',
  header,
  frame: 1,
  numberOfFrames,
  instanceNumber: 1,
  plane: undefined,
});

const none = new Map<string, readonly SeriesImage[]>();
const study = (all: readonly SeriesSummary[], description = '') => ({ series: all, description });
const words = ({ layout, panes }: Hanging) => [layout, ...panes.map((one) => one?.series.seriesDescription)];

test('a head MR hangs as T2 axial, FLAIR, diffusion and T1, without the localizer', () => {
  const all = ['LOCALIZER', 't1_mprage_sag', 'ep2d_diff', 'T2 axial', 'FLAIR cor', 'T1 axial + C'].map((name) =>
    series('MR', name, 'BRAIN'),
  );

  expect(words(hang(study(all), none))).toEqual([
    '2x2',
    'T2 axial',
    'FLAIR cor',
    'ep2d_diff',
    't1_mprage_sag',
    'T1 axial + C',
  ]);
});

test('a spine MR hangs in two panes, with two sagittal sequences first', () => {
  const all = ['T2 ax', 'T2 sag'].map((name) => series('MR', name, 'LSPINE'));

  expect(words(hang(study(all), none))).toEqual(['1x2', 'T2 sag', 'T2 ax']);
});

test('a CT hangs in one large pane, without its scout, with the window named by the series description', () => {
  const all = [series('CT', 'Scout'), series('CT', 'Chest 5mm'), series('CT', 'Lung 1mm'), series('SR', 'Dose')];

  const hanging = hang(study(all), none);

  expect(words(hanging)).toEqual(['1x1', 'Chest 5mm', 'Lung 1mm', 'Scout']);
  expect(hanging.panes.map((one) => one?.window)).toEqual([undefined, 'Lung', undefined]);
});

test('a PET hangs next to its anatomy', () => {
  const all = [series('PT', 'PET AC'), series('CT', 'CT low dose')];

  expect(words(hang(study(all), none))).toEqual(['1x2', 'CT low dose', 'PET AC']);
});

test('four mammography views hang right and left, CC above MLO, and tomosynthesis last', () => {
  const all = ['L MLO', 'R MLO', 'L CC tomo', 'L CC', 'R CC'].map((name) => series('MG', name, 'BREAST'));
  const images = new Map(
    all.map((one): [string, SeriesImage[]] => {
      const [side = '', view = '', tomo] = one.seriesDescription.split(' ');
      return [one.seriesInstanceUID, [image(film(side, view), tomo ? 60 : 1)]];
    }),
  );

  expect(seriesToRead(study(all))).toEqual(all);
  expect(words(hang(study(all), images))).toEqual(['2x2', 'R CC', 'L CC', 'R MLO', 'L MLO']);
});

test('two views of one breast hang above each other, and views without header data hang in order', () => {
  const all = [series('MG', 'MLO'), series('MG', 'CC')];
  const images = new Map(all.map((one) => [one.seriesInstanceUID, [image(film('R', one.seriesDescription))]]));

  expect(words(hang(study(all), images))).toEqual(['2x1', 'CC', 'MLO']);
  expect(words(hang(study(all), none))).toEqual(['1x1', 'MLO', 'CC']);
});

test('a front view of a radiograph hangs before its side view, even within one series', () => {
  const one = series('DX', 'Chest');
  const images = new Map([[one.seriesInstanceUID, [image(film('', 'LL')), image(film('', 'PA'))]]]);

  const { layout, panes } = hang(study([one]), images);

  expect([layout, ...panes.map((pane) => pane?.start)]).toEqual(['1x2', 1, 0]);
});

test.each([
  ['hangs as it should', ['R', 'CC', ['P', 'L']], undefined],
  ['hangs as it should', ['L', 'MLO', ['A', 'FR']], undefined],
  ['is mirrored', ['R', 'CC', ['A', 'L']], 'mirror across'],
  ['stands on its head', ['R', 'MLO', ['P', 'H']], 'mirror down'],
  ['is turned round', ['L', 'MLO', ['P', 'HL']], 'half turn'],
  ['does not say', ['R', 'CC', []], undefined],
  ['lies on its side', ['R', 'CC', ['L', 'P']], undefined],
  ['is of no known side', ['', 'CC', ['A', 'L']], undefined],
] as const)('the orientation of a mammogram that %s (%o) is corrected by: %s', (_, [side, view, along], turn) => {
  expect(turnOf(film(side, view, along))).toBe(turn);
});

test('a saved layout shows the same series roles again, also repeated ones, and fills missing ones', () => {
  const all = ['T1 sagittal', 'T2 axial', 'FLAIR coronal'].map((name) => series('MR', name, 'HEAD'));
  const kept = { layout: '2x2', roles: ['FLAIR coronal', 'T2 axial', 'T2 axial', 'STIR axial'] } as const;

  const hanging = hangSaved(kept, hang(study(all), none), none);

  expect(words(hanging)).toEqual(['2x2', 'FLAIR coronal', 'T2 axial', 'T2 axial', 'T1 sagittal']);
});

test('the kind of a study is its main modality and body part', () => {
  expect(kindOf(study([series('SR'), series('CT', '', 'CHEST')])).name).toBe('CT chest');
  expect(kindOf(study([series('CT'), series('PT')], 'PET/CT FDG')).name).toBe('PT');
  expect(kindOf(study([series('MR')], 'MR Brain')).name).toBe('MR head');
});

test.each([
  ['t2_tse_sag_320', 'T2', 'sagittal'],
  ['AX T2 FLAIR', 'FLAIR', 'axial'],
  ['Ax DWI b1000', 'DWI', 'axial'],
  ['COR STIR', 'STIR', 'coronal'],
  ['pd_tse_fs_tra', 'PD', 'axial'],
  ['T1 post contrast', 'T1', ''],
  ['SWI', 'T2*', ''],
  ['something else', '', ''],
])('the description %s is read as %s %s', (description, weighting, plane) => {
  expect(sequenceOf(description)).toEqual({ weighting, plane });
});

test('a localizer is recognized by its description, but not by "local" or "allocation"', () => {
  const names = ['Localizer', '3-plane loc', 'Scout', 'Topogram', 'T2 local', 'Allocation'];
  expect(names.map((seriesDescription) => isLocalizer({ seriesDescription }))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(bodyPartOf([series('CT', '', 'CSPINE')], 'CT head')).toBe('spine');
});
