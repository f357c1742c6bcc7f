import { t } from '@lingui/core/macro';
import type { Warning } from '#ui/dialog-context.ts';

const isLeft = { question: t`Leave while files are being uploaded?`, verb: t`Leave and stop the upload` };

const uploadIsLeft: Warning = {
  ...isLeft,
  consequence: t`The upload stops. What has been uploaded stays in the archive; choose the same files again to go on.`,
};

// Files chosen again would get new patients and new studies.
const cannotGoOn = t`The upload stops, and as it is de-identified it cannot be continued. What has been uploaded stays in the archive.`;

const deidentifiedIsLeft: Warning = { ...isLeft, consequence: cannotGoOn };

const deidentifiedIsLeftWithoutNames: Warning = {
  ...isLeft,
  consequence: t`${cannotGoOn} The list of names has not been saved, and only it leads back to the patients.`,
};

const choiceIsLeft: Warning = {
  question: t`Leave while files are being looked into?`,
  consequence: t`Nothing of what is still being looked into is sent. Choose the same files again to go on.`,
  verb: t`Leave`,
};

const namesAreLost = t`It has not been saved, and only it leads from the new names back to the patients.`;

const namesAreLeft: Warning = {
  question: t`Leave without the list of names?`,
  consequence: namesAreLost,
  verb: t`Leave without the list`,
};

export const namesAreCleared: Warning = {
  question: t`Clear without the list of names?`,
  consequence: namesAreLost,
  verb: t`Clear list`,
};

type State = { isUnfinished: boolean; isDeidentified: boolean; areNamesAtRisk: boolean };

/** Returns the question before leaving an unfinished upload, unsaved names, or files being read. */
export const leaveWarning = ({ isUnfinished, isDeidentified, areNamesAtRisk }: State): Warning => {
  if (!isUnfinished) return areNamesAtRisk ? namesAreLeft : choiceIsLeft;
  if (!isDeidentified) return uploadIsLeft;
  return areNamesAtRisk ? deidentifiedIsLeftWithoutNames : deidentifiedIsLeft;
};
