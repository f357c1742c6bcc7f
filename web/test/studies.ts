import type { StudyDetails } from '@radwork/contract/studies';

const series: StudyDetails['series'] = [
  {
    id: '0190aaaa-0000-7000-8000-000000000011',
    seriesInstanceUID: '2.25.11',
    seriesNumber: 3,
    seriesDescription: 'Axial 1.0 mm',
    modality: 'CT',
    bodyPartExamined: 'CHEST',
    instanceCount: 240,
    instances: [
      { id: '0190aaaa-0000-7000-8000-000000000111', sopInstanceUID: '2.25.111', instanceNumber: 1, numberOfFrames: 1 },
    ],
  },
  {
    id: '0190aaaa-0000-7000-8000-000000000012',
    seriesInstanceUID: '2.25.12',
    seriesNumber: 99,
    seriesDescription: 'Dose report',
    modality: 'SR',
    bodyPartExamined: '',
    instanceCount: 1,
    instances: [
      { id: '0190aaaa-0000-7000-8000-000000000121', sopInstanceUID: '2.25.121', instanceNumber: 1, numberOfFrames: 0 },
    ],
  },
];

/** A CT of a patient who never was, with everything known about it that can be. */
export const studyDetails = (more: Partial<StudyDetails> = {}): StudyDetails => ({
  id: '0190aaaa-0000-7000-8000-000000000001',
  chatRefusal: null,
  studyInstanceUID: '2.25.1',
  studyDescription: 'CT CHEST',
  description: 'CT angiography chest',
  modality: 'CT',
  modalities: ['CT', 'SR'],
  studyDate: '2026-11-20T14:05:00',
  accessionNumber: 'A260006',
  status: 'IN_PROGRESS',
  priority: 'URGENT',
  referringPhysicianName: 'Moreau, Elise',
  referringPhysicianPhone: '+41 44 000 00 00',
  createdDate: '2026-11-20T13:10:00Z',
  lastModifiedDate: '2026-11-20T13:12:00Z',
  seriesCount: 2,
  instanceCount: 241,
  patient: {
    id: '0190aaaa-0000-7000-8000-000000000002',
    patientName: 'Phantom, Ada',
    patientId: 'MRN0042',
    gender: 'F',
    dateOfBirth: '1961-03-02',
  },
  assignees: [],
  dueDate: null,
  readingBy: null,
  criticalState: null,
  revision: 1,
  clinicalHistory: 'Sudden dyspnoea, day 9 after knee replacement.',
  series,
  equipment: { name: 'CT2', manufacturer: 'Radwork', model: 'Phantom 64', room: { name: 'Room 4' } },
  radiation: { totalDLP: 312.456, ctdiVol: 8.2, effectiveDose: null },
  order: {
    orderNumber: 'O-7781',
    orderingPhysician: { username: 'Moreau, Elise' },
    procedureCode: 'CTPA',
    procedureDescription: 'CT pulmonary angiography',
    scheduledDateTime: '2026-11-20T14:00:00',
    performingTechnologist: { username: '' },
  },
  ...more,
});
