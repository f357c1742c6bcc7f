import { type Source, sourceOfFile } from './source.ts';

/** What was chosen but will not be sent, and why. */
export type LeftOut = { name: string; why: string };

/** A file as it is found, before anybody has looked into it; or one that the browser cannot read. */
export type Found = Source | LeftOut;

const housekeeping = new Set(['.ds_store', 'thumbs.db', 'ehthumbs.db', 'desktop.ini', '.localized']);

/** Why a file with this path is never worth looking into; undefined for all others. */
export const reasonToLeaveOut = (path: string): string | undefined => {
  const base = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const isOfSystem = housekeeping.has(base) || base.startsWith('._') || path.includes('__MACOSX/');
  return isOfSystem ? 'A file of the operating system' : undefined;
};

/** The files of a file or folder picker; those of a folder keep their paths. */
export const filesOfInput = (input: Iterable<File>): Iterable<Found> => {
  // The list of an input is emptied when the input is; the files themselves stay.
  const files = [...input];
  return sourcesOf(files);
};

/** One by one: each look at a size is a look at the disk. */
function* sourcesOf(files: readonly File[]): Generator<Source> {
  for (const file of files) yield sourceOfFile(file, file.webkitRelativePath || file.name);
}

/**
 * The files of a drop, those inside folders included, at any depth. The entries have to be taken before the drop
 * event is over: call this inside its handler.
 */
export const filesOfDrop = (items: DataTransferItemList): AsyncIterable<Found> =>
  filesOfAll([...items].flatMap((item) => item.webkitGetAsEntry() ?? foundWithoutEntry(item)));

async function* filesOfAll(dropped: readonly (FileSystemEntry | Found)[]): AsyncGenerator<Found> {
  for (const one of dropped) {
    if ('fullPath' in one) yield* filesBelow(one);
    else yield one;
  }
}

/** Mail programs and other pages hand out files that are in no folder. What else is dropped with files is text. */
const foundWithoutEntry = (item: DataTransferItem): Found | [] => {
  if (item.kind !== 'file') return [];
  const file = item.getAsFile();
  if (file) return sourceOfFile(file, file.name);
  return { name: 'A dropped file', why: 'The browser could not read it: save it to a disk first, then choose it' };
};

async function* filesBelow(entry: FileSystemEntry): AsyncGenerator<Found> {
  if (isFile(entry)) yield await fileOf(entry);
  if (!isFolder(entry)) return;
  try {
    for await (const child of childrenOf(entry)) yield* filesBelow(child);
  } catch {
    yield { name: nameOf(entry), why: 'The browser could not read this folder: what is in it is not sent' };
  }
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

/** A browser hands out a folder's entries a hundred at a time, until a call answers none. */
async function* childrenOf(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = folder.createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    yield* some;
  }
}

const nameOf = ({ fullPath }: FileSystemEntry) => fullPath.replace(/^\//, '');

const unreadable = (entry: FileSystemEntry): LeftOut => ({ name: nameOf(entry), why: 'The browser could not read it' });

const fileOf = (entry: FileSystemFileEntry): Promise<Found> =>
  new Promise((resolve) => {
    entry.file(
      (file) => resolve(sourceOfFile(file, nameOf(entry))),
      () => resolve(unreadable(entry)),
    );
  });
