import type { ReportWarning } from '@radwork/contract/report-checks';
import { selectWords } from '#editor/report-blocks.ts';
import type { Editor } from '@tiptap/react';

/** The editors that are open, by the study whose report they hold. */
const editors = new Map<string, Editor>();

/** Lets warnings about the report of a study lead to this editor. Returns how to stop. */
export const leadTo = (studyId: string, editor: Editor): (() => void) => {
  editors.set(studyId, editor);
  return () => {
    if (editors.get(studyId) === editor) editors.delete(studyId);
  };
};

export const isTextOpen = (studyId: string): boolean => editors.has(studyId);

/** Selects the words that a warning is about, where the report is open to be written. False where they are not there. */
export const showWords = (studyId: string, { from, to, quote }: ReportWarning): boolean => {
  const editor = editors.get(studyId);
  return editor !== undefined && from !== null && to !== null && selectWords(editor, { from, to }, quote);
};
