import { t } from '@lingui/core/macro';
import type { Warning } from '#ui/dialogs/dialog-context.ts';

const isLeft = { question: t`Leave during the upload?`, verb: t`Leave and stop the upload` };

const uploadIsLeft: Warning = {
  ...isLeft,
  consequence: t`The upload stops. Uploaded files stay in the archive. To continue, choose the same files again.`,
};

// The upload cannot be continued later, because files chosen again would get new patients and new studies.
const deidentifiedStopText = t`The de-identified upload stops and cannot be continued. Uploaded files stay in the archive.`;

const deidentifiedIsLeft: Warning = { ...isLeft, consequence: deidentifiedStopText };

const deidentifiedIsLeftWithoutNames: Warning = {
  ...isLeft,
  consequence: t`The de-identified upload stops and cannot be continued. Uploaded files stay in the archive. The list of names has not been saved, and only it identifies the patients.`,
};

const choiceIsLeft: Warning = {
  question: t`Leave before all files are read?`,
  consequence: t`Files that are not read yet will not be sent. To continue, choose the same files again.`,
  verb: t`Leave`,
};

const namesAreLost = t`The list has not been saved, and only it identifies the patients.`;

const namesAreLeft: Warning = {
  question: t`Leave without saving the list of names?`,
  consequence: namesAreLost,
  verb: t`Leave without saving`,
};

export const namesAreCleared: Warning = {
  question: t`Clear without saving the list of names?`,
  consequence: namesAreLost,
  verb: t`Clear list`,
};

type State = { isUnfinished: boolean; isDeidentified: boolean; areNamesAtRisk: boolean };

/**
 * Returns the question before leaving the screen. It concerns an unfinished upload, an unsaved list of names, or files
 * being read.
 */
export const leaveWarning = ({ isUnfinished, isDeidentified, areNamesAtRisk }: State): Warning => {
  if (!isUnfinished) return areNamesAtRisk ? namesAreLeft : choiceIsLeft;
  if (!isDeidentified) return uploadIsLeft;
  return areNamesAtRisk ? deidentifiedIsLeftWithoutNames : deidentifiedIsLeft;
};
