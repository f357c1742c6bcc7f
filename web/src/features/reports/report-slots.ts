import type { Report } from '@radwork/contract/reports';
import type { Editor } from '@tiptap/react';
import type { ReactNode } from 'react';

/** Where somebody writes: the editor, and what it is the report of. `report` is null until the first save. */
export type WritingPlace = { editor: Editor; studyId: string; report: Report | null };

/** What other features put into the report panel; app/report-workspace.tsx brings them together. */
export type ReportSlots = {
  /** Fetches what the tools are made of; asked for together with the editing engine. */
  fetchTools?: () => Promise<unknown>;
  /** Beside the formatting buttons, while a report is written. */
  tools?: (place: WritingPlace) => ReactNode;
  /** Beside the words that are selected, while a report is written. */
  selectionTools?: (place: WritingPlace) => ReactNode;
  /** Among the small actions of a report that exists, written or read. */
  actions?: (report: Report) => ReactNode;
  /** Above the text of a report that exists: what has to be known before it is read. */
  notices?: (report: Report) => ReactNode;
  /** In the dialog that signs a report: what has to be known before that. `close` leads back to the text. */
  signing?: (report: Report, close: () => void) => ReactNode;
};
