import type { ReportWarning } from '@radwork/contract/report-checks';

/** Selects the words that a warning is about; false where they are not there any more. */
type Show = (warning: ReportWarning) => boolean;

/** The texts that are open to be written, by their study. Whoever only reads does not need the editing engine for it. */
const texts = new Map<string, Show>();

/** Lets warnings about the report of a study lead to its text. Returns how to stop. */
export const leadTo = (studyId: string, show: Show): (() => void) => {
  texts.set(studyId, show);
  return () => {
    if (texts.get(studyId) === show) texts.delete(studyId);
  };
};

export const isTextOpen = (studyId: string): boolean => texts.has(studyId);

/** Leads to the words that a warning is about, where the report is open to be written. */
export const showWords = (studyId: string, warning: ReportWarning): boolean => texts.get(studyId)?.(warning) ?? false;
