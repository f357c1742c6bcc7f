import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { expect, test } from 'vitest';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { imageLike, hang, hangSaved, type Hanging, kindOf, seriesToRead } from './hanging.ts';
import { projectionOf, turnOf } from './projection.ts';
import { bodyPartOf, isLocalizer, sequenceOf } from './series-description.ts';

let lastNumber = 0;
const series = (modality: string, seriesDescription = '', bodyPartExamined = ''): SeriesSummary => {
  lastNumber += 1;
  return {
    id: `s${lastNumber}`,
    seriesInstanceUID: `2.25.${lastNumber}`,
    seriesNumber: lastNumber,
    seriesDescription,
    modality,
    bodyPartExamined,
    instanceCount: 20,
  };
};

const text = (value: string | readonly string[]) => ({ vr: 'CS', Value: [value].flat() });
const mammogramHeader = (side: string, view: string, orientation: readonly string[] = []): DicomJson => ({
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
const words = ({ layout, panes }: Hanging) => [layout, ...panes.map((pane) => pane?.series.seriesDescription)];

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

test('a CT hangs in one large pane, and not its scout; the series description decides the window', () => {
  const all = [series('CT', 'Scout'), series('CT', 'Chest 5mm'), series('CT', 'Lung 1mm'), series('SR', 'Dose')];

  const hanging = hang(study(all), none);

  expect(words(hanging)).toEqual(['1x1', 'Chest 5mm', 'Lung 1mm', 'Scout']);
  expect(hanging.panes.map((pane) => pane?.window)).toEqual([undefined, 'Lung', undefined]);
});

test('a PET hangs next to its anatomy', () => {
  const all = [series('PT', 'PET AC'), series('CT', 'CT low dose')];

  expect(words(hang(study(all), none))).toEqual(['1x2', 'CT low dose', 'PET AC']);
});

test('four mammography views hang right and left, CC above MLO, and tomosynthesis next to its view', () => {
  const all = ['L MLO', 'R MLO', 'L CC tomo', 'L CC', 'R CC'].map((name) => series('MG', name, 'BREAST'));
  const images = new Map(
    all.map((one): [string, SeriesImage[]] => {
      const [side = '', view = '', tomo] = one.seriesDescription.split(' ');
      return [one.seriesInstanceUID, [image(mammogramHeader(side, view), tomo ? 60 : 1)]];
    }),
  );

  expect(seriesToRead(study(all))).toEqual(all);
  expect(words(hang(study(all), images))).toEqual(['2x3', 'R CC', 'L CC', 'L CC tomo', 'R MLO', 'L MLO', undefined]);
});

const item = (header: DicomJson) => ({ vr: 'SQ', Value: [header] });
const coded = (value: string, modifier?: string): DicomJson => ({
  [tag.ViewCodeSequence]: item({
    [tag.CodeValue]: text(value),
    ...(modifier && { [tag.ViewModifierCodeSequence]: item({ [tag.CodeValue]: text(modifier) }) }),
  }),
});
const intent = (value: string): DicomJson => ({ [tag.PresentationIntentType]: text(value) });

const fourViews = [
  ['R', 'CC'],
  ['L', 'CC'],
  ['R', 'MLO'],
  ['L', 'MLO'],
] as const;

/** Hangs mammogram series. Each series is given by its name and the headers of its images. */
const hungMammogram = (...all: [string, DicomJson[]][]) => {
  const namedImages = all.map(([name, headers]) => ({ one: series('MG', name), headers }));
  const images = new Map(
    namedImages.map(({ one, headers }) => [one.seriesInstanceUID, headers.map((header) => image(header))] as const),
  );
  const { layout, panes } = hang(study(namedImages.map(({ one }) => one)), images);
  return [layout, ...panes.map((pane) => `${pane?.series.seriesDescription} ${pane?.start}`)];
};

test.each<[string, DicomJson]>([
  ['a magnification view by code', coded('R-10242', 'R-102D6')],
  ['a spot view by SNOMED CT code', coded('399162004', '399055006')],
  ['a view with an unknown modifier', coded('R-10242', 'R-40AAA')],
  [
    'a magnification view by its factor',
    { [tag.EstimatedRadiographicMagnificationFactor]: { vr: 'DS', Value: [1.8] } },
  ],
  ['a spot view by its paddle', { [tag.PaddleDescription]: text('SPOT 9CM') }],
  ['a partial view', { [tag.PartialView]: text('YES') }],
  ['raw data', intent('FOR PROCESSING')],
  ['raw data by SOP class', { [tag.SOPClassUID]: text('1.2.840.10008.5.1.4.1.1.1.2.1') }],
  ['a synthetic image', { [tag.ImageType]: text(['DERIVED', 'PRIMARY', 'TOMOSYNTHESIS', 'GENERATED_2D']) }],
  ['a screen capture', { [tag.ImageType]: text(['DERIVED', 'SECONDARY']) }],
])('hangs the standard view instead of %s, even if the other precedes it', (_, special) => {
  const views = fourViews.map(([side, view]) => mammogramHeader(side, view));

  expect(hungMammogram(['special', [{ ...mammogramHeader('R', 'CC'), ...special }]], ['standard', views])).toEqual([
    '2x2',
    'standard 0',
    'standard 1',
    'standard 2',
    'standard 3',
    'special 0',
  ]);
});

test('hangs raw mammograms only in the views that have no processed image', () => {
  const raw = fourViews.map(([side, view]) => ({ ...mammogramHeader(side, view), ...intent('FOR PROCESSING') }));
  const processed = fourViews
    .slice(0, 2)
    .map(([side, view]) => ({ ...mammogramHeader(side, view), ...intent('FOR PRESENTATION') }));

  expect(hungMammogram(['raw', raw], ['processed', processed]).slice(0, 5)).toEqual([
    '2x2',
    'processed 0',
    'processed 1',
    'raw 2',
    'raw 3',
  ]);
});

test('hangs the four views of a mammogram of 18 series', () => {
  const all = Array.from({ length: 18 }, (_, at): [string, DicomJson[]] => {
    const [side, view] = fourViews[at % 4] ?? ['R', 'CC'];
    return [`${side} ${view}`, [mammogramHeader(side, view)]];
  });

  expect(hungMammogram(...all).slice(0, 5)).toEqual(['2x2', 'R CC 0', 'L CC 0', 'R MLO 0', 'L MLO 0']);
});

test('if only one breast was imaged, its 2D views hang next to its tomosynthesis', () => {
  const all = ['CC', 'MLO tomo', 'CC tomo', 'MLO'].map((name) => series('MG', name));
  const images = new Map(
    all.map((one): [string, SeriesImage[]] => {
      const [view = '', tomo] = one.seriesDescription.split(' ');
      return [one.seriesInstanceUID, [image(mammogramHeader('L', view), tomo ? 60 : 1)]];
    }),
  );

  expect(words(hang(study(all), images))).toEqual(['2x2', 'CC', 'CC tomo', 'MLO', 'MLO tomo']);
});

/** Hangs projection images by their names, such as "R CC tomo". */
const hangImages = (names: readonly string[], hasPrior = false) => {
  const all = names.map((name) => series('MG', name));
  const images = new Map(
    all.map((one): [string, SeriesImage[]] => {
      const [side = '', view = '', tomo] = one.seriesDescription.split(' ');
      const sopClass = tomo && { [tag.SOPClassUID]: text(sopClasses[tomo] ?? '') };
      return [one.seriesInstanceUID, [image({ ...mammogramHeader(side, view), ...sopClass }, tomo ? 60 : 1)]];
    }),
  );
  return hang(study(all), images, hasPrior);
};
const sopClasses: Record<string, string> = {
  tomo: '1.2.840.10008.5.1.4.1.1.13.1.3',
  projections: '1.2.840.10008.5.1.4.1.1.13.1.4',
};
const four = ['R CC', 'L CC', 'R MLO', 'L MLO'];

test('the tomosynthesis of both breasts hangs next to the 2D images of the same view', () => {
  const { layout, shapes, panes } = hangImages([...four.map((name) => `${name} tomo`), ...four]);

  expect([layout, shapes]).toEqual(['2x4', ['2x4', '4x2']]);
  expect(panes.map((pane) => pane?.series.seriesDescription)).toEqual([
    'R CC',
    'L CC',
    'R CC tomo',
    'L CC tomo',
    'R MLO',
    'L MLO',
    'R MLO tomo',
    'L MLO tomo',
  ]);
});

test('the exposures of a tomosynthesis hang last, and a tomosynthesis without 2D image hangs for its view', () => {
  expect(words(hangImages(['L CC projections', 'L CC tomo', 'L MLO']))).toEqual([
    '2x1',
    'L CC tomo',
    'L MLO',
    'L CC projections',
  ]);
});

test('the four current views hang above those of the prior, and tomosynthesis follows', () => {
  const hanging = hangImages([...four, 'R CC tomo'], true);

  expect([hanging.layout, hanging.shapes]).toEqual(['2x4', ['2x4', '4x2']]);
  expect(hanging.panes.map((pane) => pane?.series.seriesDescription)).toEqual([
    ...four,
    ...four.map(() => undefined),
    'R CC tomo',
  ]);
  expect(hanging.priorPanes?.slice(4).map((priorPane) => priorPane?.series.seriesDescription)).toEqual(four);
});

test.each([
  ['one CT series', ['CT'], '1x2'],
  ['three MR sequences', ['MR', 'MR', 'MR'], '2x3'],
  ['PET and CT', ['PT', 'CT'], '2x2'],
] as const)('%s hang with a pane of the prior for each current pane', (_, modalities, layout) => {
  const all = modalities.map((modality) => series(modality, modality));

  const hanging = hang(study(all), none, true);

  const [current, ofPrior] = [hanging.panes.slice(0, all.length), hanging.priorPanes?.slice(all.length)];
  expect(hanging.layout).toBe(layout);
  expect(current.every((one) => one !== undefined)).toBe(true);
  expect(ofPrior).toEqual(current);
});

test('a saved layout hangs the prior where the user saved it, and fills its panes if there is no prior', () => {
  const all = ['T2 axial', 'FLAIR coronal', 'T1 sagittal'].map((name) => series('MR', name, 'HEAD'));
  const savedLayout = { layout: '1x2', roles: ['FLAIR coronal', 'prior FLAIR coronal'] } as const;

  const hanging = hangSaved(savedLayout, hang(study(all), none), none, true);

  expect(words(hanging)).toEqual(['1x2', 'FLAIR coronal', undefined, 'T2 axial', 'T1 sagittal']);
  expect(hanging.priorPanes?.[1]?.series.seriesDescription).toBe('FLAIR coronal');
  expect(words(hangSaved(savedLayout, hang(study(all), none), none))).toEqual([
    '1x2',
    'FLAIR coronal',
    'T2 axial',
    'T1 sagittal',
  ]);
});

test('reads the side of a tomosynthesis from its functional groups', () => {
  const anatomy = { [tag.FrameAnatomySequence]: item({ [tag.FrameLaterality]: text('L') }) };

  expect(projectionOf({ [tag.SharedFunctionalGroupsSequence]: item(anatomy), ...coded('R-10226') })).toEqual({
    side: 'L',
    view: 'MLO',
  });
});

test('hangs raw radiographs after the processed ones of the same view', () => {
  const one = series('DX', 'Chest');
  const headers = [{ ...mammogramHeader('', 'PA'), ...intent('FOR PROCESSING') }, mammogramHeader('', 'PA')];
  const images = new Map([[one.seriesInstanceUID, headers.map((header) => image(header))]]);

  const { layout, panes } = hang(study([one]), images);

  expect([layout, ...panes.map((pane) => pane?.start)]).toEqual(['1x1', 1, 0]);
});

test('finds the image of a prior with the same side and view', () => {
  const all = [series('MG', 'raw'), series('MG', 'processed')];
  const images = new Map([
    [all[0]?.seriesInstanceUID ?? '', [image({ ...mammogramHeader('L', 'MLO'), ...intent('FOR PROCESSING') })]],
    [all[1]?.seriesInstanceUID ?? '', [image(mammogramHeader('L', 'CC')), image(mammogramHeader('L', 'MLO'))]],
  ]);

  expect(imageLike(mammogramHeader('L', 'MLO'), all, images)).toMatchObject({
    series: { seriesDescription: 'processed' },
    start: 1,
  });
  expect(imageLike(mammogramHeader('R', 'MLO'), all, images)).toBeUndefined();
});

test('two views of one breast hang above each other, and views without header data hang in order', () => {
  const all = [series('MG', 'MLO'), series('MG', 'CC')];
  const images = new Map(
    all.map((one) => [one.seriesInstanceUID, [image(mammogramHeader('R', one.seriesDescription))]]),
  );

  expect(words(hang(study(all), images))).toEqual(['2x1', 'CC', 'MLO']);
  expect(words(hang(study(all), none))).toEqual(['1x1', 'MLO', 'CC']);
});

test('a front view of a radiograph hangs before its side view, even within one series', () => {
  const one = series('DX', 'Chest');
  const images = new Map([
    [one.seriesInstanceUID, [image(mammogramHeader('', 'LL')), image(mammogramHeader('', 'PA'))]],
  ]);

  const { layout, panes } = hang(study([one]), images);

  expect([layout, ...panes.map((pane) => pane?.start)]).toEqual(['1x2', 1, 0]);
});

test.each([
  ['is correct', ['R', 'CC', ['P', 'L']], undefined],
  ['is correct', ['L', 'MLO', ['A', 'FR']], undefined],
  ['is mirrored', ['R', 'CC', ['A', 'L']], 'mirror across'],
  ['is upside down', ['R', 'MLO', ['P', 'H']], 'mirror down'],
  ['is rotated by 180 degrees', ['L', 'MLO', ['P', 'HL']], 'half turn'],
  ['has no orientation', ['R', 'CC', []], undefined],
  ['lies on its side', ['R', 'CC', ['L', 'P']], undefined],
  ['has no known side', ['', 'CC', ['A', 'L']], undefined],
] as const)('the orientation of a mammogram that %s (%o) is corrected by: %s', (_, [side, view, along], turn) => {
  expect(turnOf(mammogramHeader(side, view, along))).toBe(turn);
});

test('a saved layout shows the same kinds of series again, also repeated ones, and fills empty panes', () => {
  const all = ['T1 sagittal', 'T2 axial', 'FLAIR coronal'].map((name) => series('MR', name, 'HEAD'));
  const savedLayout = { layout: '2x2', roles: ['FLAIR coronal', 'T2 axial', 'T2 axial', 'STIR axial'] } as const;

  const hanging = hangSaved(savedLayout, hang(study(all), none), none);

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

test.each([
  ['CT', 'Series 1', true, 'Scout thorax', false, 'Scout thorax'],
  ['CT', 'Series 1', true, 'Thorax', null, 'Thorax'],
  ['CT', 'Topogram', null, 'Thorax', undefined, 'Thorax'],
  ['MR', '3 plane', true, 'T2', null, 'T2'],
] as const)(
  'of a %s, the header decides which series is a localizer: %s (%s) or %s (%s)',
  (modality, one, byHeader, other, otherByHeader, expected) => {
    const all = [
      { ...series(modality, one), isLocalizer: byHeader },
      { ...series(modality, other), isLocalizer: otherByHeader },
    ];

    expect(words(hang(study(all), none))[1]).toBe(expected);
  },
);

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
