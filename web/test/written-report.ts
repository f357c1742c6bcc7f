import type { NamedPatient } from '@radwork/contract/core/named-patient';
import type { Report, ReportAct } from '@radwork/contract/reading/reports';
import { screen } from '@testing-library/react';
import type { Editor } from '@tiptap/core';
import { vi } from 'vitest';

const reviewer = { id: 'u2', username: 'r.reviewer', name: 'Rex Reviewer' };
const author = { id: 'u1', username: 'm.haddad', name: 'Mona Haddad' };

/** Patient of the report below. */
export const jane: NamedPatient = { id: 'p1', patientName: 'Doe, Jane', patientId: 'P-1' };

/** Returns a stored report as its author sees it. `refused` has actions that are not allowed, with reasons. */
export const reportFor = (
  overrides: Partial<Report> = {},
  refused: Partial<Record<ReportAct, string>> = {},
): Report => {
  const status = overrides.status ?? 'DRAFT';
  const canEdit = !refused.edit && (status === 'DRAFT' || status === 'REVISION_REQUIRED');
  return {
    id: 'r1',
    studyId: 's1',
    status,
    amended: false,
    author,
    reviewer: null,
    createdAt: '2026-11-21T10:00:00Z',
    finalizedAt: null,
    hasCriticalFindings: false,
    criticalState: null,
    patientName: jane.patientName,
    patientId: jane.patientId,
    patientRecordId: jane.id,
    dateOfBirth: '1970-01-31',
    studyDate: '2026-11-20T09:30:00',
    modality: 'CT',
    accessionNumber: 'A1',
    studyDescription: 'CT chest',
    content: '<p>Stored.</p>',
    revision: 1,
    refiledAt: null,
    criticalFindingsDetails: '',
    criticalFindings: [],
    criticalResults: [],
    reviewNotes: '',
    reviewComments: '',
    reviewRequestedAt: null,
    reviewCompletedAt: null,
    finalizedBy: null,
    contentHash: null,
    isUnchanged: null,
    statement: '',
    identity: null,
    identityStatement: '',
    addenda: [],
    newImages: 0,
    addendumDraft: null,
    preliminary: null,
    preliminaryChange: '',
    signatureData: null,
    signingRemark: '',
    signatureRequired: true,
    linkHash: null,
    commentCount: 0,
    history: [
      {
        version: 1,
        status,
        action: 'SAVED',
        actor: reviewer,
        at: '2026-11-21T10:00:00Z',
        comment: '',
        contentHash: '',
      },
    ],
    rights: {
      canEdit,
      canRequestReview: canEdit,
      canSubmitReview: false,
      canRerouteReview: status === 'PENDING_REVIEW',
      canIssuePreliminary: canEdit,
      canFinalize: true,
      canAddend: !refused.addend && status === 'FINALIZED',
      canShare: status === 'FINALIZED',
      canAddCriticalFinding: true,
      reasons: Object.entries(refused).map(([act, reason]) => ({ act: act as ReportAct, reason })),
    },
    ...overrides,
  };
};

/** Returns the editor on the screen. Tests set its content, because jsdom has no layout and so no real typing. */
export const editorIn = async (): Promise<Editor> => {
  const element = await screen.findByRole('textbox', { name: 'Report text' });
  return (element as HTMLElement & { editor: Editor }).editor;
};

export const write = (editor: Editor, html: string) => {
  editor.commands.setContent(html);
};

/** Simulates drawing on a canvas, because jsdom draws nothing. Returns the drawn texts. */
export const stubCanvas = () => {
  const words: string[] = [];
  const pen = new Proxy(
    {},
    { get: (_, what) => (word: unknown) => void (what === 'fillText' && words.push(String(word))), set: () => true },
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue(`data:image/png;base64,${btoa('signature')}`);
  return () => words;
};
