import { identities, type IdentityMark, type IdentityQuestion } from '@radwork/contract/imaging/identities';
import { rereadings } from '@radwork/contract/imaging/rereadings';
import { answer } from './screen.tsx';

/** Returns an identity question. The files have another name than the patient with the same Patient ID. */
export const questionOf = (overrides: Partial<IdentityQuestion> = {}): IdentityQuestion => ({
  id: 'q1',
  state: 'OPEN',
  origin: 'ARRIVED',
  contradictions: ['NAME', 'BIRTH_DATE'],
  known: {
    id: 'p1',
    patientName: 'Alpha, Maria',
    patientId: 'P-1',
    gender: 'F',
    dateOfBirth: '1970-01-31',
    issuer: '',
  },
  said: { patientName: 'Kowalski, Piotr', patientId: 'P-1', gender: 'M', dateOfBirth: '1950-05-05', issuer: '' },
  provisionalPatientId: 'p2',
  study: {
    id: 's1',
    revision: 7,
    description: 'CT chest',
    modality: 'CT',
    studyDate: '2026-11-20T09:30:00',
    accessionNumber: 'A1',
    instanceCount: 212,
    signedReports: 0,
  },
  openedDate: '2026-11-20T10:00:00Z',
  decidedDate: null,
  decidedBy: '',
  undoUntil: null,
  ...overrides,
});

/** Returns the mark of the study with that identity question. */
export const markOf = (overrides: Partial<IdentityMark> = {}): IdentityMark => ({
  otherName: 'Kowalski, Piotr',
  contradictions: ['NAME', 'BIRTH_DATE'],
  ...overrides,
});

/** Simulates the list of open and decided questions. `questions` returns the current questions at each call. */
export const queueOf = (questions: () => IdentityQuestion[]) => [
  answer(identities.count, () => ({
    open: questions().filter(({ state }) => state === 'OPEN').length,
    search: null,
  })),
  answer(rereadings.progress, () => null),
  answer(identities.list, ({ url }) => {
    const isOpen = url.searchParams.get('state') !== 'DECIDED';
    const content = questions().filter(({ state }) => (state === 'OPEN') === isOpen);
    return { content, totalElements: content.length, totalPages: 1, number: 0, size: 20 };
  }),
];
