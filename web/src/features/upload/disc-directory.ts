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
