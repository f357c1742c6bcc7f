/** Files that a DICOMDIR lists but that were not chosen. The same directory chosen again counts as the same disc. */
export type MissingOfDisc = { directory: string; names: readonly string[] };

/**
 * Makes paths comparable. Disc file systems use capitals and versions, which computers show differently (PS3.10 §8.2).
 */
const comparable = (path: string) => path.toLowerCase().replace(/\.?(;\d+)?$/, '');

/** Returns the files that a DICOMDIR lists, relative to its folder, but that were not chosen. */
export const missingFiles = (
  directoryName: string,
  references: readonly string[],
  chosenNames: ReadonlySet<string>,
): string[] => {
  const folder = directoryName.slice(0, directoryName.lastIndexOf('/') + 1);
  const chosen = new Set([...chosenNames].map(comparable));
  return references.map((path) => folder + path).filter((path) => !chosen.has(comparable(path)));
};

/** Merges the missing files: for a disc chosen again, the later choice replaces the earlier one. */
export const missingByNow = (
  before: readonly MissingOfDisc[],
  later: readonly MissingOfDisc[],
): readonly MissingOfDisc[] => {
  const again = new Set(later.map(({ directory }) => directory));
  return [...before.filter(({ directory }) => !again.has(directory)), ...later];
};
