import type { Report } from '@radwork/contract/reading/reports';
import type { Editor } from '@tiptap/react';
import type { ReactNode } from 'react';

/** The editor and its report. `report` is null before the first save. */
export type WritingPlace = { editor: Editor; studyId: string; report: Report | null };

/** Parts of the report panel from other features; app/reports/report-workspace.tsx supplies them. */
export type ReportSlots = {
  /** Preloads the code of the tools together with the editor. */
  fetchTools?: () => Promise<unknown>;
  /** Rendered next to the formatting buttons of the editor. */
  tools?: (place: WritingPlace) => ReactNode;
  /** Rendered next to the formatting buttons of the editor of an addendum. */
  addendumTools?: (place: WritingPlace) => ReactNode;
  /** Rendered next to the selected text of the editor. */
  selectionTools?: (place: WritingPlace) => ReactNode;
  /** Rendered among the minor actions of an existing report. */
  actions?: (report: Report) => ReactNode;
  /** Rendered above the text of an existing report: warnings to read first. */
  notices?: (report: Report) => ReactNode;
  /** Rendered in the signing dialog: warnings to read first. `close` returns to the text. */
  signing?: (report: Report, close: () => void) => ReactNode;
  /** Called when the user has signed. */
  afterSigning?: () => void;
};
