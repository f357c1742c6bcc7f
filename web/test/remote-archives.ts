import type { ImportJob } from '@radwork/contract/imaging/import-jobs';
import type { RemoteConfiguration } from '@radwork/contract/imaging/remote-archives';
import type { ConnectionTest } from '@radwork/contract/core/connection-test';
import type { RemoteStudy } from '@radwork/contract/imaging/remote-studies';
import type { SentRequest } from './screen.tsx';

/** Returns a study of a remote archive; `overrides` overrides fields. */
export const remoteStudy = (overrides: Partial<RemoteStudy> = {}): RemoteStudy => ({
  studyInstanceUID: '1.2.3',
  studyUrl: 'https://pacs.example.org/dicom-web/studies/1.2.3',
  patientName: 'Haddad, Noor',
  patientId: 'MRN7',
  sex: 'F',
  birthDate: '1980-02-03',
  studyDate: '2026-11-20',
  studyTime: '09:30:15',
  studyDescription: 'CT CHEST',
  modality: 'CT',
  accessionNumber: 'A7',
  seriesCount: 3,
  instanceCount: 412,
  studyId: null,
  storedInstanceCount: null,
  ...overrides,
});

export const importJob = (overrides: Partial<ImportJob> = {}): ImportJob => ({
  id: '01a1fe1f-0000-7000-8000-0000000000aa',
  jobId: '1.2.3',
  remoteConfigId: 'c1',
  remoteName: 'NORTH_PACS',
  protocol: 'DICOMWEB',
  studyInstanceUID: '1.2.3',
  patientName: 'Haddad, Noor',
  studyDescription: 'CT CHEST',
  state: 'RUNNING',
  expected: 412,
  received: 100,
  failed: 0,
  cause: '',
  attempts: 1,
  requestedBy: 'Mona Haddad',
  createdDate: '2026-11-21T10:00:00Z',
  startedDate: '2026-11-21T10:00:01Z',
  finishedDate: null,
  studyId: null,
  ...overrides,
});

export const jobsPage = (...content: ImportJob[]) => ({
  content,
  totalElements: content.length,
  totalPages: content.length > 0 ? 1 : 0,
  number: 0,
  size: 25,
});

export const configuration = (overrides: Partial<RemoteConfiguration> = {}): RemoteConfiguration => ({
  id: 'c1',
  revision: 3,
  aeTitle: 'NORTH_PACS',
  protocol: 'DICOMWEB',
  baseUrl: 'https://pacs.example.org/dicom-web',
  resourcesUri: '',
  qidoEndpoint: '',
  wadoEndpoint: '',
  issuer: '',
  authType: 'BASIC',
  username: 'radwork',
  hasPassword: true,
  hasToken: false,
  hasApiKey: false,
  hasApiSecret: false,
  updatedDate: '2026-11-20T08:00:00Z',
  ...overrides,
});

export const works: ConnectionTest = { isOk: true, milliseconds: 12, server: 'Orthanc', cause: null, message: '' };

export const failed = (message: string): ConnectionTest => ({ ...works, isOk: false, cause: 'DNS', message });

/** Returns the requests of the screen, without those for authentication. */
export const sentBy = (calls: readonly SentRequest[], method: SentRequest['method']): SentRequest[] =>
  calls.filter((call) => call.method === method && !call.url.pathname.startsWith('/api/auth/'));
