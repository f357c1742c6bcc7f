import type { ReportWarning } from '@radwork/contract/reading/report-checks';

/** Selects the words of a warning. Returns false when the text no longer contains them. */
type Show = (warning: ReportWarning) => boolean;

/** Open editors by study ID. The registry keeps the editor code out of pages that only show reports. */
const texts = new Map<string, Show>();

/** Registers an editor, so that warnings can link to its text. Returns the function that removes it. */
export const registerOpenText = (studyId: string, show: Show): (() => void) => {
  texts.set(studyId, show);
  return () => {
    if (texts.get(studyId) === show) texts.delete(studyId);
  };
};

export const isTextOpen = (studyId: string): boolean => texts.has(studyId);

/** Selects the words of a warning, if the report is open for editing. */
export const selectWarningText = (studyId: string, warning: ReportWarning): boolean =>
  texts.get(studyId)?.(warning) ?? false;
