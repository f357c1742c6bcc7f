/** What a DICOMDIR lists and what did not come with it; the same directory, chosen again, is the same disc. */
export type MissingOfDisc = { directory: string; names: readonly string[] };

/** File systems of discs know only capitals and add versions, and each computer shows them differently (PS3.10 §8.2). */
const comparable = (path: string) => path.toLowerCase().replace(/\.?(;\d+)?$/, '');

/** Which of the files that a DICOMDIR lists, relative to the folder it is in, are not among those that were chosen. */
export const missingFiles = (
  directoryName: string,
  references: readonly string[],
  chosenNames: ReadonlySet<string>,
): string[] => {
  const folder = directoryName.slice(0, directoryName.lastIndexOf('/') + 1);
  const chosen = new Set([...chosenNames].map(comparable));
  return references.map((path) => folder + path).filter((path) => !chosen.has(comparable(path)));
};

/** What is missing by now: of a disc that was chosen again it is what the later choice lacked. */
export const missingByNow = (
  before: readonly MissingOfDisc[],
  later: readonly MissingOfDisc[],
): readonly MissingOfDisc[] => {
  const again = new Set(later.map(({ directory }) => directory));
  return [...before.filter(({ directory }) => !again.has(directory)), ...later];
};
