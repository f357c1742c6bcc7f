import { t } from '@lingui/core/macro';
import type { InstanceSummary } from '@radwork/dicom/instance-summary';
import { type FoundFile, type SkippedFile, skipReasonOf } from './chosen-files.ts';
import type { DicomReader } from '#imaging/upload/deidentification/dicom-reader.ts';
import { type MissingOfDisc, missingFiles } from './disc-directory.ts';
import { type FileSource, SourceProblem } from './file-source.ts';

/** A file to send. If it has no summary, its header could not be read; the archive then reports the problem. */
export type ChosenFile = { source: FileSource; summary: InstanceSummary | undefined };

export type ChosenFiles = {
  files: ChosenFile[];
  leftOut: SkippedFile[];
  /**
   * Files that may be images but could not be read, and are not sent. A folder counts as one file, because its content
   * is unknown.
   */
  unreadable: SkippedFile[];
  /** Files that a DICOMDIR lists but that the user did not choose, or that are not DICOM. */
  missing: MissingOfDisc[];
  /** Problems that concern the whole choice, not a single file. */
  problems: string[];
};

/** Text from the specification. It is also used for a DICOMDIR without any of its files. */
export const invalidDirectory = t`Please upload a valid DICOMDIR file.`;

/** Number of files read at the same time. */
const atOnce = 16;

/** Number of files between two progress reports. */
const portion = 200;

const cannotOpen = (name: string, reason: string): string => t`${name} cannot be opened. ${reason}.`;

const zipInsideZip = t`A ZIP file inside a ZIP file. Unpack the outer file first`;

type Directory = { source: FileSource; references: string[] };

/**
 * Reads every file and decides by content whether to send or skip it. Opens ZIP files and compares each DICOMDIR with
 * the chosen files. Reports the count so far to `onFound`; stops when `isOver` returns true.
 */
export const recognizeFiles = async (
  files: AsyncIterable<FoundFile> | Iterable<FoundFile>,
  reader: Pick<DicomReader, 'inspect'>,
  onFound: (count: number) => void,
  isOver = () => false,
): Promise<ChosenFiles> => {
  const result: ChosenFiles = { files: [], leftOut: [], unreadable: [], missing: [], problems: [] };
  const progress = { names: new Set<string>(), directories: [] as Directory[], count: 0 };

  const lookInto = async (one: FoundFile): Promise<void> => {
    progress.count += 1;
    if (progress.count % portion === 0) onFound(progress.count);
    if ('why' in one) return void result.unreadable.push(one);
    const why = skipReasonOf(one.name);
    if (why) return void result.leftOut.push({ name: one.name, why });
    try {
      await sort(one);
    } catch (error) {
      const words = error instanceof SourceProblem ? error.message : t`The browser could not read the file`;
      result.unreadable.push({ name: one.name, why: words });
    }
  };

  const sort = async (source: FileSource): Promise<void> => {
    const inspection = await reader.inspect(source);
    if (inspection.kind !== 'other') progress.names.add(source.name);
    if (inspection.kind === 'instance') return void result.files.push({ source, summary: inspection.summary });
    if (inspection.kind === 'damaged') return void result.files.push({ source, summary: undefined });
    if (inspection.kind === 'directory') {
      return void progress.directories.push({ source, references: inspection.references });
    }
    if (await isZip(source)) return openUp(source);
    if (/(^|\/)dicomdir$/i.test(source.name)) result.problems.push(invalidDirectory);
    result.leftOut.push({ name: source.name, why: t`Not a DICOM file` });
  };

  const openUp = async (zip: FileSource): Promise<void> => {
    if (zip.isPacked) return void result.leftOut.push({ name: zip.name, why: zipInsideZip });
    try {
      const { openZip } = await import('./zip-source.ts');
      const { sources, unreadable } = await openZip(zip);
      result.unreadable.push(...unreadable);
      await inTurns(sources, lookInto, isOver);
    } catch (error) {
      if (!(error instanceof SourceProblem)) throw error;
      result.problems.push(cannotOpen(zip.name, error.message));
      result.leftOut.push({ name: zip.name, why: error.message });
    }
  };

  await inTurns(files, lookInto, isOver);
  for (const { source, references } of progress.directories) {
    const missing = missingFiles(source.name, references, progress.names);
    if (missing.length === references.length) result.problems.push(invalidDirectory);
    else result.missing.push({ directory: directoryKey(source), names: missing });
    result.leftOut.push({ name: source.name, why: t`DICOMDIR, the file list of a disc` });
  }
  result.files.sort(bySourceName);
  return result;
};

const directoryKey = ({ name, size, modified }: FileSource) => JSON.stringify([name, size, modified]);

/** Sorts by name, because the order in which files finish is random and users look for a name. */
const bySourceName = (one: ChosenFile, other: ChosenFile) => collator.compare(one.source.name, other.source.name);
const collator = new Intl.Collator('en', { numeric: true });

/** Runs `work` on each item, a few at a time, until all are done or `isOver` returns true. */
const inTurns = async <T>(
  all: AsyncIterable<T> | Iterable<T>,
  work: (one: T) => Promise<void>,
  isOver: () => boolean,
): Promise<void> => {
  const underWay = new Set<Promise<void>>();
  for await (const one of all) {
    if (isOver()) break;
    const working = work(one).finally(() => underWay.delete(working));
    underWay.add(working);
    if (underWay.size >= atOnce) await Promise.race(underWay);
  }
  await Promise.all(underWay);
};

/** First bytes of a ZIP file, and of an empty ZIP file (APPNOTE 4.3.7, 4.3.16). */
const zipMarks = new Set(['PK\x03\x04', 'PK\x05\x06']);

/**
 * Whether to open a file as ZIP. Many applications and documents are ZIP files too, so the name must end in .zip or
 * have no extension.
 */
const isZip = async (source: FileSource): Promise<boolean> => {
  const base = source.name.slice(source.name.lastIndexOf('/') + 1);
  if (base.includes('.') && !/\.zip$/i.test(base)) return false;
  const head = await source.head(4);
  return zipMarks.has(await head.slice(0, 4).text());
};
