/** The filled parts of an open editor. */
type FilledText = { count: () => number; show: () => boolean; confirm: () => void };

/** Open editors by study ID. The registry keeps the editor code out of pages that only show reports. */
const texts = new Map<string, FilledText>();

/** Registers an editor, so that the signing dialog counts its filled parts. Returns the function that removes it. */
export const registerFilledText = (studyId: string, text: FilledText): (() => void) => {
  texts.set(studyId, text);
  return () => {
    if (texts.get(studyId) === text) texts.delete(studyId);
  };
};

/** Returns the filled parts of the open editor of a study; undefined if its report is not open for editing. */
export const openFilledText = (studyId: string): FilledText | undefined => texts.get(studyId);
