import type { dashboard } from '@radwork/contract/insight/dashboard';
import type { Reply } from '@radwork/contract/core/endpoint';
import type { OutreachSettings } from '@radwork/contract/reading/outreach';
import type { reportChecks } from '@radwork/contract/reading/report-checks';
import type { reportingSettings } from '@radwork/contract/reading/reporting-settings';

/** Replies of a tenant without studies, with default settings. */

export const noOutreach: OutreachSettings = {
  choices: [],
  quietHours: null,
  timeZone: 'UTC',
  mailAddress: '',
  devices: [],
  pushKey: '',
};

export const ownReading = {
  username: 'm.haddad',
  name: 'Mona Haddad',
  since: '2026-11-22T09:12:00Z',
  isMe: true,
  expiresAt: '2026-11-22T09:14:00Z',
};

/** Reporting settings of a tenant, with default values. */
export const writingSettings: Reply<typeof reportingSettings.forWriting> = {
  isDictationAllowed: true,
  dictation: { server: '', isBrowserAllowed: true },
  drafting: {
    isOn: true,
    provider: 'RULES',
    providerName: 'Built-in drafter',
    model: '',
    whereTextGoes: '',
    isRuleBased: true,
  },
  clocks: { CRITICAL: 60, URGENT: 1440, SIGNIFICANT: 10_080 },
  isSignatureRequired: true,
  isReviewRequired: false,
  isLinkCodeRequired: false,
  showsPreliminary: false,
  linkDays: 30,
};

/** Facts that no report text can contradict. */
export const nothingToCheck: Reply<typeof reportChecks.facts> = {
  patientRecordId: 'p1',
  sex: '',
  age: null,
  modality: '',
  studyDate: null,
  priorDates: ['2026-03-14'],
  hangingPrior: null,
  bodyParts: [],
  measurements: [],
  isFlaggedCritical: true,
  openCriticalFindings: 0,
  newImages: 0,
};

/** Dashboard tiles of a tenant without studies. */
export const noTiles: Reply<typeof dashboard.read>['tiles'] = {
  unread: { total: 0, isMore: false, mine: null },
  inProgress: { total: 0, isMore: false, mine: null },
  overdue: { total: 0, isMore: false, mine: null },
  unassigned: null,
  myDrafts: null,
  toReview: null,
  openCritical: null,
  myStudies: null,
  reportsReady: null,
  hasStudies: false,
};
