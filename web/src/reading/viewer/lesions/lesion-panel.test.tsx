import { type Lesion, lesions, type LesionsOfStudy, type PriorMeasurement } from '@radwork/contract/reading/lesions';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { answer, serve, show } from '#test/screen.tsx';
import { LesionPanel } from './lesion-panel.tsx';

const timepoint = (studyId: string, studyDate: string) => ({
  studyId,
  studyInstanceUID: '1.2',
  studyDate,
  modality: 'CT',
  description: 'CT chest',
});
const timepoints = [timepoint('s0', '2026-06-01T09:00:00'), timepoint('s1', '2026-11-01T09:00:00')];

const reading = (studyId: string, measurementId: string, longMm: number) => ({
  studyId,
  measurementId,
  longMm,
  shortMm: null,
  state: null,
});

const lesion: Lesion = {
  id: 'l1',
  label: 'Segment 6',
  organ: 'Liver',
  isNode: false,
  kind: 'TARGET',
  revision: 2,
  readings: [reading('s0', 'm0', 20), reading('s1', 'm1', 14)],
};

const prior: PriorMeasurement = {
  id: 'm8',
  study: timepoints[0] as LesionsOfStudy['timepoints'][number],
  lesionId: null,
  tool: 'LENGTH',
  seriesInstanceUID: '1.2.3',
  sopInstanceUID: '1.2.3.4',
  frame: 1,
  frameOfReferenceUID: null,
  points: [[0, 0, 0]],
  plane: null,
  label: 'Nodule',
  values: [{ quantity: 'LENGTH', value: 8, unit: 'mm' }],
  revision: 1,
  author: { username: 'weiss', name: 'Dr Weiss' },
  createdDate: '2026-06-01T10:00:00Z',
  updatedDate: '2026-06-01T10:00:00Z',
  isMine: false,
};

const open = (found: LesionsOfStudy, ...answers: Parameters<typeof serve>) => {
  const calls = serve(
    answer(lesions.ofStudy, () => found),
    ...answers,
  );
  const repeating = { pending: undefined, note: '', repeat: vi.fn<() => Promise<void>>(), cancel: vi.fn<() => void>() };
  show(<LesionPanel studyId="s1" measured={[]} repeating={repeating} />);
  return { calls, repeating };
};

test('a lesion of the prior is offered, and a press repeats it', async () => {
  const { repeating } = open({ timepoints, lesions: [], priors: [prior], areReadingsLeftOut: false });

  const offered = await screen.findByRole('button', { name: /Nodule.*8 mm.*2026-06-01 · CT chest · Dr Weiss/ });
  await userEvent.click(offered);

  expect(repeating.repeat).toHaveBeenCalledWith(prior);
});

test('a lesion of this study shows its change, and the RECIST table its response', async () => {
  open({ timepoints, lesions: [lesion], priors: [], areReadingsLeftOut: false });

  expect(await screen.findByText('−6 mm (−30 %)')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'RECIST table' }));
  const table = within(await screen.findByRole('table'));
  const cells = (name: RegExp) =>
    within(table.getByRole('row', { name }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  expect(cells(/Segment 6/)).toEqual(['20 mm', '14 mm']);
  expect(cells(/^Sum of target/)).toEqual(['20 mm', '14 mm']);
  expect(cells(/^Overall/)).toEqual(['Baseline', 'Partial response']);
  expect(screen.getByText('Baseline: the first study that you may see, 2026-06-01')).toBeDefined();
});

test('the RECIST table names what is missing', async () => {
  open({
    timepoints,
    lesions: [{ ...lesion, organ: '', readings: lesion.readings.slice(0, 1) }],
    priors: [],
    areReadingsLeftOut: false,
  });

  await userEvent.click(await screen.findByRole('button', { name: 'RECIST table' }));

  const missing = within(await screen.findByRole('list', { name: 'Missing' })).getAllByRole('listitem');
  expect(missing.map(({ textContent }) => textContent)).toEqual([
    'Segment 6: organ missing',
    'Segment 6: not measured on 2026-11-01',
  ]);
});

test('a user classifies a lesion and states how it looks here', async () => {
  const { calls } = open(
    { timepoints, lesions: [lesion], priors: [], areReadingsLeftOut: false },
    answer(lesions.save, () => lesion),
    answer(lesions.assess, () => lesion),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Edit Segment 6' }));
  await userEvent.click(await screen.findByRole('combobox', { name: 'State in this study' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Absent' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Lymph node: the short axis counts' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));

  expect(await screen.findByText('Lesion saved')).toBeDefined();
  expect(calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
    { state: 'ABSENT' },
    { label: 'Segment 6', organ: 'Liver', isNode: true, kind: 'TARGET', revision: 2 },
  ]);
});

test('the RECIST table gives no response when earlier readings are left out', async () => {
  open({ timepoints, lesions: [lesion], priors: [], areReadingsLeftOut: true });

  await userEvent.click(await screen.findByRole('button', { name: 'RECIST table' }));

  const overall = await screen.findByRole('row', { name: /^Overall/ });
  expect(within(overall).getAllByRole('cell', { name: 'Not evaluable' })).toHaveLength(2);
  expect(screen.getByText(/There is no response\./)).toBeDefined();
});
