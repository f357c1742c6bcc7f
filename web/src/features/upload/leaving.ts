import type { Warning } from '#ui/dialog-context.ts';

const isLeft = { question: 'Leave while files are being uploaded?', verb: 'Leave and stop the upload' };

const uploadIsLeft: Warning = {
  ...isLeft,
  consequence: 'The upload stops. What has been uploaded stays in the archive; choose the same files again to go on.',
};

// Files chosen again would get new patients and new studies.
const cannotGoOn =
  'The upload stops, and as it is de-identified it cannot be continued. What has been uploaded stays in the archive.';

const deidentifiedIsLeft: Warning = { ...isLeft, consequence: cannotGoOn };

const deidentifiedIsLeftWithoutNames: Warning = {
  ...isLeft,
  consequence: `${cannotGoOn} The list of names has not been saved, and only it leads back to the patients.`,
};

const choiceIsLeft: Warning = {
  question: 'Leave while files are being looked into?',
  consequence: 'Nothing of what is still being looked into is sent. Choose the same files again to go on.',
  verb: 'Leave',
};

const namesAreLost = 'It has not been saved, and only it leads from the new names back to the patients.';

const namesAreLeft: Warning = {
  question: 'Leave without the list of names?',
  consequence: namesAreLost,
  verb: 'Leave without the list',
};

export const namesAreCleared: Warning = {
  question: 'Clear without the list of names?',
  consequence: namesAreLost,
  verb: 'Clear list',
};

type State = { isUnfinished: boolean; isDeidentified: boolean; areNamesAtRisk: boolean };

/** Returns the question before leaving an unfinished upload, unsaved names, or files being read. */
export const leaveWarning = ({ isUnfinished, isDeidentified, areNamesAtRisk }: State): Warning => {
  if (!isUnfinished) return areNamesAtRisk ? namesAreLeft : choiceIsLeft;
  if (!isDeidentified) return uploadIsLeft;
  return areNamesAtRisk ? deidentifiedIsLeftWithoutNames : deidentifiedIsLeft;
};
