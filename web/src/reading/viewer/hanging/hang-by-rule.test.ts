import type { HangingPane, HangingRule } from '@radwork/contract/reading/hanging-rules';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { expect, test } from 'vitest';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { hangByRule, ruleFor } from './hang-by-rule.ts';
import { hang, type Hanging } from './hanging.ts';

const series = (modality: string, seriesDescription: string, bodyPartExamined = ''): SeriesSummary => ({
  id: seriesDescription,
  seriesInstanceUID: seriesDescription,
  seriesNumber: 1,
  seriesDescription,
  modality,
  bodyPartExamined,
  instanceCount: 20,
});
const studyOf = (modality: string, ...names: string[]) => ({
  series: names.map((name) => series(modality, name)),
  description: '',
});
const pane = (part: Partial<HangingPane>): HangingPane => ({
  shows: '',
  plane: '',
  words: '',
  isPrior: false,
  ...part,
});
const rule = (part: Partial<HangingRule> = {}): HangingRule => ({
  id: 'r1',
  modality: '',
  bodyPart: '',
  monitors: null,
  layout: null,
  prior: 'never',
  panes: [],
  linkedScroll: 'usual',
  window: null,
  tool: null,
  isShared: false,
  revision: 1,
  updatedBy: 'Reader',
  updatedAt: '2026-11-30T00:00:00Z',
  ...part,
});
const none = new Map<string, readonly SeriesImage[]>();
const words = ({ layout, panes, priorPanes }: Hanging) => [
  layout,
  ...panes.map((one, at) =>
    priorPanes?.[at] ? `prior ${priorPanes[at].series.seriesDescription}` : one?.series.seriesDescription,
  ),
];

const head = studyOf('MR', 'T1 sagittal', 'T2 axial', 'FLAIR coronal');
const chest = studyOf('CT', 'Chest axial', 'Chest coronal', 'Lung axial');

test('a rule without any choice hangs like the built-in hanging', () => {
  expect(hangByRule(rule({ prior: 'space' }), head, none, true)).toMatchObject({
    ...hang(head, none, true),
    name: expect.stringContaining('Hung by'),
  });
});

test.each([
  ['a layout', { layout: '2x1' }, ['2x1', 'Chest axial', 'Chest coronal', 'Lung axial']],
  [
    'words in any order and case',
    { panes: [pane({ words: 'AXIAL lung' })] },
    ['1x1', 'Lung axial', 'Chest axial', 'Chest coronal'],
  ],
  ['a plane', { panes: [pane({ plane: 'coronal' })] }, ['1x1', 'Chest coronal', 'Chest axial', 'Lung axial']],
  [
    'one series in two viewports',
    { layout: '1x2', panes: [pane({ words: 'lung' }), pane({ words: 'lung' })] },
    ['1x2', 'Lung axial', 'Lung axial', 'Chest axial', 'Chest coronal'],
  ],
  [
    'a series that the study does not have',
    { layout: '1x2', panes: [pane({ words: 'pelvis' }), pane({ plane: 'coronal' })] },
    ['1x2', 'Chest axial', 'Chest coronal', 'Lung axial'],
  ],
] as const)('a rule hangs %s', (_, part, expected) => {
  expect(words(hangByRule(rule(part as Partial<HangingRule>), chest, none))).toEqual(expected);
});

test('a rule knows the plane of a CT by the orientation of its images, before its description', () => {
  const study = {
    series: [
      { ...series('CT', 'Chest 1.0 Br40'), plane: 'axial' as const },
      { ...series('CT', 'Chest axial'), plane: 'sagittal' as const },
      { ...series('CT', 'Chest coronal obl'), plane: null },
    ],
    description: '',
  };
  const first = (plane: HangingPane['plane']) => words(hangByRule(rule({ panes: [pane({ plane })] }), study, none))[1];

  expect(first('axial')).toBe('Chest 1.0 Br40');
  expect(first('sagittal')).toBe('Chest axial');
  expect(first('coronal')).toBe('Chest coronal obl');
});

test('the shape of the space does not change the layout of a rule', () => {
  const two = studyOf('MR', 'T1 sagittal', 'T2 axial');

  expect(hang(two, none)).toMatchObject({ layout: '1x2', shapes: expect.arrayContaining(['2x1']) });
  expect(hangByRule(rule({ layout: '1x2' }), two, none).shapes).toBeUndefined();
});

test('a rule applies its window to each viewport of the study and of the prior', () => {
  const { panes, priorPanes } = hangByRule(rule({ window: 'Lung', prior: 'beside', layout: '1x1' }), chest, none, true);

  expect(panes[0]?.window).toBe('Lung');
  expect(priorPanes?.[1]?.window).toBe('Lung');
});

test.each([
  ['never', '1x1', ['1x1', 'Chest axial', 'Chest coronal', 'Lung axial']],
  ['beside', '1x1', ['1x2', 'Chest axial', 'prior Chest axial', 'Chest coronal', 'Lung axial']],
  ['below', '1x1', ['2x1', 'Chest axial', 'prior Chest axial', 'Chest coronal', 'Lung axial']],
  ['beside', '2x1', ['2x2', 'Chest axial', 'prior Chest axial', 'Chest coronal', 'prior Chest coronal', 'Lung axial']],
  ['below', '1x2', ['2x2', 'Chest axial', 'Chest coronal', 'prior Chest axial', 'prior Chest coronal', 'Lung axial']],
  ['space', '1x2', ['2x2', 'Chest axial', 'Chest coronal', 'prior Chest axial', 'prior Chest coronal', 'Lung axial']],
] as const)('a rule hangs the prior %s a layout of %s', (prior, layout, expected) => {
  expect(words(hangByRule(rule({ prior, layout }), chest, none, true))).toEqual(expected);
  expect(words(hangByRule(rule({ prior, layout }), chest, none, false))).toEqual([
    layout,
    'Chest axial',
    'Chest coronal',
    'Lung axial',
  ]);
});

test('a rule hangs the prior in the viewports that it names, and fills them if there is no prior', () => {
  const panes = [pane({ shows: 'T2' }), pane({ isPrior: true }), pane({ plane: 'sagittal', isPrior: true })];
  const wanted = rule({ prior: 'panes', layout: '1x3', panes });

  expect(words(hangByRule(wanted, head, none, true)).slice(0, 4)).toEqual([
    '1x3',
    'T2 axial',
    'prior T2 axial',
    'prior T1 sagittal',
  ]);
  expect(words(hangByRule(wanted, head, none))).toEqual(['1x3', 'T2 axial', 'FLAIR coronal', 'T1 sagittal']);
});

const text = (value: string) => ({ vr: 'CS', Value: [value] });
const film = (side: string, view: string, part: object = {}): SeriesImage => ({
  imageId: '',
  header: { [tag.ImageLaterality]: text(side), [tag.ViewPosition]: text(view), ...part },
  frame: 1,
  numberOfFrames: 1,
  instanceNumber: 1,
  plane: undefined,
});

test('a rule of views shows the whole breast, never a partial view of it', () => {
  const all = ['partial', 'R CC', 'L CC', 'R MLO'];
  const mammogram = studyOf('MG', ...all);
  const images = new Map([
    ['partial', [film('L', 'MLO', { [tag.PartialView]: text('YES') })]],
    ['R CC', [film('R', 'CC')]],
    ['L CC', [film('L', 'CC')]],
    ['R MLO', [film('R', 'MLO')]],
  ]);
  const panes = [pane({ shows: 'R MLO' }), pane({ shows: 'L MLO' })];

  const [layout, first, second] = words(hangByRule(rule({ layout: '1x2', panes }), mammogram, images));

  expect([layout, first]).toEqual(['1x2', 'R MLO']);
  expect(second).not.toBe('partial');
});

test('finds the rule of a study by the modality that decides its hanging and its body part', () => {
  const rules = [
    rule({ id: 'ct', modality: 'CT' }),
    rule({ id: 'head', modality: 'MR', bodyPart: 'head' }),
    rule({ id: 'two', modality: 'MR', bodyPart: 'head', monitors: 2 }),
  ];
  const brain = { series: [series('SR', 'Report'), series('MR', 'T2', 'BRAIN')], description: '' };

  expect([1, 2, 3].map((monitors) => ruleFor(rules, brain, monitors)?.id)).toEqual(['head', 'two', 'head']);
  expect(ruleFor(rules, { ...brain, series: [series('US', 'Clip')] }, 1)).toBeUndefined();
});
