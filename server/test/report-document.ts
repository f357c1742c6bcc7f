import type { SignedPart } from '@radwork/contract/reading/report-parts';
import { hashOfContent } from '#reading/report-records/content.ts';
import type { ReportDocument } from '#reading/report-delivery/report-document.ts';

const signer = {
  id: '01890000-0000-7000-8000-000000000001',
  username: 'rosa',
  name: 'Dr. Rosa Lindqvist',
  credentials: '',
};

/** Creates one signed text, by default the report itself. */
export const signedPart = (content: string, part: Partial<SignedPart> = {}): SignedPart => ({
  number: 0,
  kind: 'REPORT',
  content,
  passage: '',
  corrects: null,
  finalizedBy: signer,
  finalizedAt: '2026-11-20T13:05:00.000Z',
  statement: 'I confirm that this report is complete and accurate',
  signatureData: null,
  signingRemark: '',
  identityStatement: '',
  contentHash: hashOfContent(content).toString('hex'),
  isUnchanged: true,
  ...part,
});

/** Creates a finalized chest CT report with a text. */
export const reportDocument = (content: string, document: Partial<ReportDocument> = {}): ReportDocument => {
  const parts = document.parts ?? [signedPart(content)];
  return {
    reader: 'COLLEAGUE',
    reportId: '01890000-0000-7000-8000-000000000002',
    studyId: '01890000-0000-7000-8000-000000000003',
    status: 'FINALIZED',
    preliminary: null,
    preliminaryChange: '',
    content,
    parts,
    author: signer,
    reviewer: null,
    criticalFindingsDetails: '',
    findings: [],
    organization: {
      id: 1,
      name: 'Clinic',
      identifierRoot: '01890000-0000-4000-8000-000000000004',
      letterhead: '',
      footer: '',
      contact: '',
      logo: null,
    },
    timeZone: 'Europe/Berlin',
    naming: 'Jane Doe, 1961-04-30',
    patient: {
      id: '01890000-0000-7000-8000-000000000005',
      name: 'Doe^Jane',
      patientId: 'P-1001',
      issuer: '',
      sex: 'F',
      birthDate: '1961-04-30',
    },
    identifier: { kind: 'BIRTH_DATE', value: '1961-04-30' },
    study: {
      studyInstanceUid: '1.2.826.0.1.3680043.8.498.1',
      scannerStudyId: '7',
      accessionNumber: 'ACC-2026-17',
      orderNumber: '',
      description: 'CT chest with contrast',
      modality: 'CT',
      modalities: ['CT'],
      dateTime: '2026-11-20T09:30:00',
      timezoneOffset: '',
      referringPhysician: 'Smith^Robert',
    },
    changedAt: parts.at(-1)?.finalizedAt ?? '2026-11-20T13:05:00.000Z',
    newerSignedAt: null,
    ...document,
  };
};
