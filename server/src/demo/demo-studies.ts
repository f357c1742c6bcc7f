import type { Priority } from '@radwork/contract/core/priorities';
import type { ReportStatus } from '@radwork/contract/imaging/study-marks';
import {
  computedRadiography,
  ctVolume,
  doseReport,
  magneticResonance,
  petCt,
  type PhantomFile,
  type StudyOptions,
  ultrasoundCine,
} from '@radwork/phantom/studies';
import {
  brainReport,
  chestReport,
  earlierBrainReport,
  earlierChestReport,
  earlierRadiographReport,
  radiographReport,
  petReport,
} from './demo-reports.ts';

export type DemoReport = {
  author: string;
  text: string;
  status: ReportStatus;
  reviewer?: string;
  comments?: string;
  /** A finding that must be communicated at once. */
  criticalFinding?: string;
};

/** A chat message about a study. "@username" in it mentions, invites and notifies that user. */
export type DemoMessage = { by: string; text: string };

export type DemoStudy = {
  kind: keyof typeof makers;
  patientId: string;
  daysAgo: number;
  /** HHMMSS */
  time: string;
  referrer: string;
  history: string;
  priority?: Priority;
  /** The assignee, and the hours until the work is due. Negative hours mean that it is overdue. */
  assigned?: { to: string; dueInHours: number };
  report?: DemoReport;
  /** Ordered by time. */
  chat?: readonly DemoMessage[];
};

/** Functions that create the files of each kind of study. The chest CT has a dose report, as from a scanner. */
export const makers = {
  ct: function* (options: StudyOptions): Generator<PhantomFile> {
    yield* ctVolume(options);
    yield doseReport(options);
  },
  petCt: (options: StudyOptions) => petCt(options),
  us: (options: StudyOptions) => ultrasoundCine({ ...options, slices: 20 }),
  cr: (options: StudyOptions) => computedRadiography(options),
  mr: (options: StudyOptions) => magneticResonance({ ...options, slices: 16 }),
};

/** The only referring physician with an account (see people.ts). */
export const referrerWithAccount = 'Moreau^Claire^^Dr';
const lungClinic = 'Osei^Kwame^^Dr';
const neurology = 'Rossi^Giulia^^Dr';

export const demoStudies: Record<'demo' | 'north', readonly DemoStudy[]> = {
  demo: [
    {
      kind: 'ct',
      patientId: 'DEMO-100478',
      daysAgo: 1,
      time: '164000',
      priority: 'STAT',
      referrer: referrerWithAccount,
      history:
        'Hemoptysis for three days, 40 pack-year smoking history. Pulmonary embolism? Progression of known nodule?',
      chat: [{ by: 'admin', text: '@radiologist this STAT study is still unassigned.' }],
    },
    {
      kind: 'cr',
      patientId: 'DEMO-100478',
      daysAgo: 193,
      time: '091500',
      referrer: referrerWithAccount,
      history: 'Cough for six weeks.',
      report: { author: 'radiologist', status: 'FINALIZED', text: earlierRadiographReport },
    },
    {
      kind: 'petCt',
      patientId: 'DEMO-100351',
      daysAgo: 1,
      time: '103000',
      priority: 'URGENT',
      referrer: referrerWithAccount,
      history: 'Nodule in the right upper lobe on CT. Staging for tumor board.',
      assigned: { to: 'radiologist', dueInHours: 4 },
      report: { author: 'radiologist', status: 'DRAFT', text: petReport },
      chat: [
        {
          by: 'radiologist',
          text: '@reviewer the nodule is on the right, the active hilar node on the left. Do you agree with N3?',
        },
        { by: 'reviewer', text: 'Yes, contralateral, and an SUVmax of 5.5 is significant.' },
        {
          by: 'radiologist',
          text: '@referrer the report will be ready today. The liver lesion is FDG-avid, the adjacent cyst is not.',
        },
        {
          by: 'referrer',
          text: 'Thank you, I will inform the tumor board.\nIs a biopsy of the liver lesion feasible?',
        },
      ],
    },
    {
      kind: 'ct',
      patientId: 'DEMO-100351',
      daysAgo: 16,
      time: '140500',
      referrer: referrerWithAccount,
      history: 'Right upper lung opacity on chest radiograph.',
      report: {
        author: 'radiologist',
        status: 'FINALIZED',
        text: chestReport,
        criticalFinding: '24 mm right upper lobe nodule, suspicious for primary lung cancer',
      },
    },
    {
      kind: 'mr',
      patientId: 'DEMO-100214',
      daysAgo: 2,
      time: '111000',
      priority: 'URGENT',
      referrer: neurology,
      history: 'First seizure. Known frontal lesion, follow-up.',
      report: { author: 'radiologist', reviewer: 'reviewer', status: 'PENDING_REVIEW', text: brainReport },
    },
    {
      kind: 'mr',
      patientId: 'DEMO-100214',
      daysAgo: 371,
      time: '090000',
      referrer: neurology,
      history: 'Headache, worse in the morning.',
      report: { author: 'reviewer', status: 'FINALIZED', text: earlierBrainReport },
    },
    {
      kind: 'us',
      patientId: 'DEMO-100522',
      daysAgo: 1,
      time: '135000',
      priority: 'URGENT',
      referrer: lungClinic,
      history: 'Dyspnea on exertion, systolic murmur.',
    },
    {
      kind: 'cr',
      patientId: 'DEMO-101047',
      daysAgo: 3,
      time: '082000',
      referrer: referrerWithAccount,
      history: 'Preoperative for hip replacement. Asymptomatic.',
      report: { author: 'reviewer', status: 'FINALIZED', text: radiographReport },
    },
    {
      kind: 'mr',
      patientId: 'DEMO-100693',
      daysAgo: 4,
      time: '153000',
      referrer: neurology,
      history: 'Vertigo and unsteady gait for two months.',
      report: {
        author: 'radiologist',
        reviewer: 'reviewer',
        status: 'REVISION_REQUIRED',
        comments: 'Please compare with the outside study and comment on the fourth ventricle.',
        text: brainReport,
      },
    },
    {
      kind: 'cr',
      patientId: 'DEMO-100819',
      daysAgo: 1,
      time: '075500',
      referrer: lungClinic,
      history: 'Fever and cough. Pneumonia?',
    },
    {
      kind: 'petCt',
      patientId: 'DEMO-100936',
      daysAgo: 6,
      time: '093000',
      referrer: lungClinic,
      history: 'Suspected lung cancer, staging.',
      report: {
        author: 'radiologist',
        reviewer: 'reviewer',
        status: 'APPROVED',
        comments: 'I agree with the staging.',
        text: petReport,
      },
    },
    {
      kind: 'ct',
      patientId: 'DEMO-101158',
      daysAgo: 2,
      time: '171500',
      referrer: lungClinic,
      history: 'Weight loss of 8 kg over four months.',
      assigned: { to: 'reviewer', dueInHours: -3 },
      chat: [
        { by: 'reviewer', text: '@admin this report will be late: I am at tumor board until noon.' },
        { by: 'admin', text: 'No problem. @super the scanner sent the dose report this time.' },
      ],
    },
  ],
  north: [
    {
      kind: 'cr',
      patientId: 'DEMO-101485',
      daysAgo: 1,
      time: '101000',
      priority: 'URGENT',
      referrer: 'Nilsen^Ingrid^^Dr',
      history: 'Swallowed a coin?',
      chat: [
        { by: 'north.admin', text: '@north.radiologist his mother is waiting with him in the emergency department.' },
      ],
    },
    {
      kind: 'ct',
      patientId: 'DEMO-101263',
      daysAgo: 2,
      time: '120000',
      referrer: 'Nilsen^Ingrid^^Dr',
      history: 'Persistent cough.',
      report: { author: 'north.radiologist', status: 'DRAFT', text: earlierChestReport },
      chat: [{ by: 'north.radiologist', text: '@north.admin does she have a prior chest radiograph?' }],
    },
    {
      kind: 'mr',
      patientId: 'DEMO-101592',
      daysAgo: 8,
      time: '143000',
      referrer: 'Dahl^Erik^^Dr',
      history: 'Memory loss.',
      report: { author: 'north.radiologist', status: 'FINALIZED', text: brainReport },
    },
  ],
};
