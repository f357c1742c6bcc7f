import type { Communication, CriticalFinding } from '@radwork/contract/reading/critical-findings';

export const finder = { id: 'u1', username: 'm.haddad', name: 'Mona Haddad' };
export const referrer = { id: 'u3', username: 'e.moreau', name: 'Elise Moreau' };

/** Returns a finding as its author sees it. Default: new, with one hour left. */
export const findingOf = (overrides: Partial<CriticalFinding> = {}): CriticalFinding => ({
  id: 'f1',
  reportId: 'r1',
  studyId: 's1',
  finding: 'Tension pneumothorax',
  severity: 'CRITICAL',
  state: 'OPEN',
  identifiedBy: finder,
  identifiedDateTime: '2026-11-21T10:00:00Z',
  dueAt: '2026-11-21T11:00:00Z',
  patientName: 'Doe, Jane',
  patientId: 'P-1',
  modality: 'CT',
  studyDescription: 'CT chest',
  studyDate: '2026-11-20T09:30:00',
  communicatedAt: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  acknowledgedHow: null,
  withdrawnAt: null,
  withdrawnBy: null,
  withdrawnReason: '',
  escalation: null,
  communications: [],
  restarts: [],
  messages: [],
  canCommunicate: true,
  canAcknowledge: false,
  canAcknowledgeInReport: false,
  canWithdraw: true,
  ...overrides,
});

export const communicationOf = (overrides: Partial<Communication> = {}): Communication => ({
  id: 'c1',
  recipient: referrer,
  recipientName: 'Elise Moreau',
  method: 'PHONE',
  wasReached: true,
  hasReadBack: true,
  toldAt: '2026-11-21T10:20:00Z',
  toldBy: finder,
  note: '',
  isOfFormerPatient: false,
  ...overrides,
});
