import type { UserType } from '@radwork/contract/core/access';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answer, type SentRequest, signIn, visit } from './screen.tsx';

/** Returns a study of the list; `overrides` overrides fields. */
export const study = (overrides: Partial<StudyRow> = {}): StudyRow => ({
  id: '01a1fe1f-0000-7000-8000-000000000001',
  studyInstanceUID: '1.2.3',
  studyDescription: 'CT Angiography Chest',
  description: '',
  modality: 'CT',
  modalities: ['CT', 'SR'],
  studyDate: '2026-11-20T09:30:15',
  accessionNumber: 'A1',
  status: 'PENDING',
  priority: 'STAT',
  referringPhysicianName: '',
  referringPhysicianPhone: '',
  createdDate: new Date(Date.now() - 83 * 60_000).toISOString(),
  lastModifiedDate: '2026-11-20T10:00:00Z',
  seriesCount: 2,
  instanceCount: 212,
  patient: { id: 'p1', patientName: 'Bergström, Chidi', patientId: 'MRN1', gender: 'M', dateOfBirth: '1961-04-12' },
  assignees: [],
  dueDate: null,
  readingBy: null,
  criticalState: null,
  identity: null,
  ...overrides,
});

/** Returns a study of another patient. */
export const named = (family: string, overrides: Partial<StudyRow> = {}): StudyRow =>
  study({ id: `id-of-${family}`, patient: { ...study().patient, patientName: `${family}, X` }, ...overrides });

export const pageOf = (content: StudyRow[], total = content.length, number = 0, size = 10) => ({
  content,
  totalElements: total,
  totalPages: Math.ceil(total / size),
  isTotalExact: true,
  number,
  size,
});

const counted = { total: 47, isMore: false };

/** Numbers for the tabs above the list: 47 studies each, and more than 1000 in ALL. */
export const counts = answer(studies.views, () => ({
  MINE: counted,
  UNASSIGNED: counted,
  PENDING: counted,
  IN_PROGRESS: counted,
  OVERDUE: counted,
  ALL: { total: 1000, isMore: true },
}));

/** Answers the request for series that the page sends when the user points at a row. */
const noSeries = answer(studies.series, () => []);

/** Opens the list with these answers to its searches. */
export const openStudies = async (
  address: string,
  reply: (sent: SentRequest) => ReturnType<typeof pageOf> | Promise<ReturnType<typeof pageOf>>,
  { as, answers = [] }: { as?: UserType; answers?: ReturnType<typeof answer>[] } = {},
) => {
  signIn(as);
  const view = visit(address, ...answers, answer(studies.search, reply), counts, noSeries);
  await screen.findByRole('heading', { name: 'Studies' });
  const searches = () => view.calls.filter(({ url }) => url.pathname === '/api/studies/search').map(({ url }) => url);
  return { ...view, searches };
};

/** Makes further columns of the list visible. */
export const choose = async (...columns: string[]) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Columns' }));
  for (const name of columns) await userEvent.click(await screen.findByRole('checkbox', { name }));
  await userEvent.keyboard('{Escape}');
};
