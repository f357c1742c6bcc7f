import type { ReportWarning } from '@radwork/contract/reading/report-checks';

/** Selects the words of a warning. Returns false when they are gone. */
type Show = (warning: ReportWarning) => boolean;

/** Open editors by study ID. A registry, so that readers do not load the editing engine. */
const texts = new Map<string, Show>();

/** Registers an editor for links from warnings. Returns the function that removes it. */
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
