import type { PatientDetails, PatientRow } from '@radwork/contract/imaging/patients';

/** Returns a patient of the list; `overrides` overrides fields. */
export const patientRow = (overrides: Partial<PatientRow> = {}): PatientRow => ({
  id: '01a1fe1f-0000-7000-8000-00000000000a',
  patientId: 'MRN1',
  issuer: '',
  patientName: 'Bergström, Chidi',
  gender: 'M',
  dateOfBirth: '1961-04-12',
  phoneNumber: '+1 555 0142',
  email: '',
  studyCount: 3,
  lastStudyDate: '2026-11-20T09:30:00',
  priority: 'STAT',
  ...overrides,
});

/** Returns a patient with all details; `overrides` overrides fields. */
export const patientDetails = (overrides: Partial<PatientDetails> = {}): PatientDetails => ({
  ...patientRow(),
  revision: 1,
  address: '1 Main St',
  portalAccess: { isActive: false },
  createdDate: '2026-01-02T08:00:00Z',
  lastModifiedDate: '2026-01-03T08:00:00Z',
  formerIdentifiers: [],
  mergedInto: null,
  studies: [],
  ...overrides,
});

export const patientPage = (content: PatientRow[], total = content.length, number = 0, size = 10) => ({
  content,
  totalElements: total,
  totalPages: Math.ceil(total / size),
  isTotalExact: true,
  number,
  size,
});
