import type { PriorStudy, SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { expect, test } from 'vitest';
import { priorLabel } from '#reading/viewer/standard/panes/pane-labels.ts';
import { studyDetails } from '#test/studies.ts';
import { counterpartOf, priorToCompare, priorToHang, seriesToCompare } from './prior-choice.ts';

const prior = (id: string, modality: string, studyDate: string | null, more: Partial<PriorStudy> = {}) =>
  ({
    id,
    modalities: [modality],
    studyDate,
    status: 'COMPLETED',
    instanceCount: 10,
    description: '',
    bodyParts: [],
    ...more,
  }) as PriorStudy;

const study = { modalities: ['CT', 'SR'], studyDate: '2026-03-01T10:00:00' };

test('the proposed prior is the latest earlier study of the same modality', () => {
  const list = [
    prior('later', 'CT', '2026-05-01T10:00:00'),
    prior('cancelled', 'CT', '2026-02-01T10:00:00', { status: 'CANCELLED' }),
    prior('empty', 'CT', '2026-01-15T10:00:00', { instanceCount: 0 }),
    prior('other kind', 'MR', '2026-01-01T10:00:00'),
    prior('wanted', 'CT', '2025-06-01T10:00:00'),
    prior('farther', 'CT', '2024-06-01T10:00:00'),
  ];

  expect(priorToCompare(study, list)?.id).toBe('wanted');
  expect(priorToCompare(study, list.slice(0, 4))?.id).toBe('later');
  expect(priorToCompare(study, [prior('other kind', 'MR', '2026-01-01T10:00:00')])).toBeUndefined();
});

const series = (modality: string, seriesDescription: string): SeriesSummary => ({
  id: seriesDescription,
  seriesInstanceUID: seriesDescription,
  seriesNumber: 1,
  seriesDescription,
  modality,
  bodyPartExamined: '',
  instanceCount: 10,
});

test('the prior that hangs by default is the latest earlier study of the same modality and body part', () => {
  const chest = { bodyParts: ['CHEST'] };
  const expectedPrior = prior('wanted', 'CT', '2025-06-01T10:00:00', chest);
  const list = [
    prior('later', 'CT', '2026-05-01T10:00:00', chest),
    prior('cancelled', 'CT', '2026-02-01T10:00:00', { ...chest, status: 'CANCELLED' }),
    prior('without images', 'CT', '2026-02-01T10:00:00', { ...chest, instanceCount: 0 }),
    prior('undated', 'CT', null, chest),
    prior('same time', 'CT', '2026-03-01T10:00:00', chest),
    prior('farther', 'CT', '2024-06-01T10:00:00', chest),
    prior('other body part', 'CT', '2026-01-01T10:00:00', { bodyParts: ['ANKLE'] }),
    prior('unknown body part', 'CT', '2026-01-01T10:00:00', { studyDescription: '' }),
    prior('other modality', 'PT', '2026-01-01T10:00:00', { ...chest, modalities: ['CT', 'PT'] }),
    expectedPrior,
  ];
  const ofChest = studyDetails({
    studyDate: '2026-03-01T10:00:00',
    series: [{ ...series('CT', 'Chest'), bodyPartExamined: 'CHEST', instances: [] }],
  });
  const unknown = {
    ...ofChest,
    studyDescription: '',
    description: '',
    series: [{ ...series('CT', ''), instances: [] }],
  };

  expect(priorToHang(ofChest, list)?.id).toBe('wanted');
  expect(priorToHang(unknown, list)).toBeUndefined();
  expect(priorToHang({ ...ofChest, studyDate: null }, list)).toBeUndefined();
});

test('a series of a prior with another weighting or plane is no counterpart', () => {
  const all = [
    series('MR', 't1_tse_tra'),
    series('MR', 't2_tse_sag'),
    series('CT', 'T2 axial'),
    series('MR', 't2_tse_tra'),
  ];

  expect(counterpartOf(series('MR', 'AX T2'), all)?.id).toBe('t2_tse_tra');
  expect(counterpartOf(series('MR', 'AX T2'), all.slice(0, 3))).toBeUndefined();
});

test('the most similar series of the prior is shown next to the current series', () => {
  const all = [
    series('MR', 'localizer ax'),
    series('MR', 't1_sag'),
    series('SR', 'Report'),
    series('MR', 't2_tse_tra'),
  ];

  expect(seriesToCompare(series('MR', 'AX T2'), all)?.id).toBe('t2_tse_tra');
  expect(seriesToCompare(series('MR', 'T1 sagittal'), all)?.id).toBe('t1_sag');
  expect(seriesToCompare(undefined, [series('SR', 'Report'), series('CT', 'Chest')])?.id).toBe('Chest');
  expect(seriesToCompare(series('CT', 'Chest'), [series('SR', 'Report')])).toBeUndefined();
});

test('a pane with another study shows its date and whether it is earlier', () => {
  const at = (studyDate: string | null) => ({ studyDate });

  expect(priorLabel(at('2026-11-12T09:30:00'), at('2024-11-04T09:30:00'))).toBe('PRIOR 2024-11-04 · 2y earlier');
  expect(priorLabel(at('2026-11-12T09:30:00'), at('2026-11-10T09:30:00'))).toBe('PRIOR 2026-11-10');
  expect(priorLabel(at('2024-01-01T09:30:00'), at('2026-02-01T09:30:00'))).toBe('LATER STUDY 2026-02-01 · 2y later');
  expect(priorLabel(at('2024-01-01T09:30:00'), at(null))).toBe('OTHER STUDY without a date');
});
