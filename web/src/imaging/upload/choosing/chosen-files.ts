import { t } from '@lingui/core/macro';
import { type FileSource, sourceOfFile } from './file-source.ts';

/** A chosen file that will not be sent, with the reason. */
export type SkippedFile = { name: string; why: string };

/** A file that was not read yet, or a file that the browser cannot read. */
export type FoundFile = FileSource | SkippedFile;

const housekeeping = new Set(['.ds_store', 'thumbs.db', 'ehthumbs.db', 'desktop.ini', '.localized']);

/** Returns the reason to skip a file because of its path, without reading it. Undefined for all other files. */
export const skipReasonOf = (path: string): string | undefined => {
  const base = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const isOfSystem = housekeeping.has(base) || base.startsWith('._') || path.includes('__MACOSX/');
  return isOfSystem ? t`A file of the operating system` : undefined;
};

/** Returns the files of a file or folder picker. Files of a folder keep their paths. */
export const filesOfInput = (input: Iterable<File>): Iterable<FoundFile> => {
  // Copies the list, because the browser empties it when the input is cleared.
  const files = [...input];
  return sourcesOf(files);
};

/** Yields the files one by one, because reading the size of a file accesses the disk. */
function* sourcesOf(files: readonly File[]): Generator<FileSource> {
  for (const file of files) yield sourceOfFile(file, file.webkitRelativePath || file.name);
}

/**
 * Returns the dropped files, including those in folders at any depth. Must be called in the drop handler, because the
 * entries are valid only during the event.
 */
export const filesOfDrop = (items: DataTransferItemList): AsyncIterable<FoundFile> =>
  filesOfAll([...items].flatMap((item) => item.webkitGetAsEntry() ?? foundWithoutEntry(item)));

async function* filesOfAll(dropped: readonly (FileSystemEntry | FoundFile)[]): AsyncGenerator<FoundFile> {
  for (const one of dropped) {
    if ('fullPath' in one) yield* filesBelow(one);
    else yield one;
  }
}

/** Returns a file that has no folder entry, such as a file dropped from a mail program. Ignores dropped text. */
const foundWithoutEntry = (item: DataTransferItem): FoundFile | [] => {
  if (item.kind !== 'file') return [];
  const file = item.getAsFile();
  if (file) return sourceOfFile(file, file.name);
  return {
    name: t`Dropped file`,
    why: t`The browser could not read the file. Save the file to a disk, then choose it`,
  };
};

async function* filesBelow(entry: FileSystemEntry): AsyncGenerator<FoundFile> {
  if (isFile(entry)) yield await fileOf(entry);
  if (!isFolder(entry)) return;
  try {
    for await (const child of childrenOf(entry)) yield* filesBelow(child);
  } catch {
    yield { name: nameOf(entry), why: t`The browser could not read this folder. Its files are not sent` };
  }
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

/** Yields the entries of a folder. Browsers return them in portions of 100, until a call returns none. */
async function* childrenOf(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = folder.createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    yield* some;
  }
}

const nameOf = ({ fullPath }: FileSystemEntry) => fullPath.replace(/^\//, '');

const unreadable = (entry: FileSystemEntry): SkippedFile => ({
  name: nameOf(entry),
  why: t`The browser could not read the file`,
});

const fileOf = (entry: FileSystemFileEntry): Promise<FoundFile> =>
  new Promise((resolve) => {
    entry.file(
      (file) => resolve(sourceOfFile(file, nameOf(entry))),
      () => resolve(unreadable(entry)),
    );
  });
