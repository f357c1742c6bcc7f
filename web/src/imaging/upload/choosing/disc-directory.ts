/**
 * Files that a DICOMDIR lists but that the user did not choose. The same DICOMDIR chosen again counts as the same disc.
 */
export type MissingOfDisc = { directory: string; names: readonly string[] };

/**
 * Makes paths comparable. Disc file systems use capitals and version numbers, which computers show differently (PS3.10
 * §8.2).
 */
const comparable = (path: string) => path.toLowerCase().replace(/\.?(;\d+)?$/, '');

/**
 * An extension that programs add or remove when they copy a disc. An extension begins with a letter, because a part of
 * a UID has only digits.
 */
const extension = /\.[a-z][a-z0-9]{0,5}$/;

const withoutExtension = (path: string) => path.replace(extension, '');

/**
 * Returns the files that a DICOMDIR lists but that were not chosen, with paths relative to its folder. The name of a
 * chosen file may have another extension (IM01 and IM01.dcm). Each chosen file counts for one listed file.
 */
export const missingFiles = (
  directoryName: string,
  references: readonly string[],
  chosenNames: ReadonlySet<string>,
): string[] => {
  const folder = directoryName.slice(0, directoryName.lastIndexOf('/') + 1);
  const chosen = new Set([...chosenNames].map(comparable));
  const paths = references.map((path) => folder + path);
  const exact = new Set(paths.map(comparable));
  const spare = Map.groupBy(
    [...chosen].filter((path) => !exact.has(path)),
    withoutExtension,
  );
  return paths.filter((path) => {
    const name = comparable(path);
    return !chosen.has(name) && spare.get(withoutExtension(name))?.pop() === undefined;
  });
};

/** Merges lists of missing files. For a disc chosen again, the later list replaces the earlier list. */
export const missingByNow = (
  before: readonly MissingOfDisc[],
  later: readonly MissingOfDisc[],
): readonly MissingOfDisc[] => {
  const again = new Set(later.map(({ directory }) => directory));
  return [...before.filter(({ directory }) => !again.has(directory)), ...later];
};
