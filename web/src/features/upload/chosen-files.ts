import type { NamedFile } from '#core/upload.ts';

/** A file that was chosen but will not be sent, and why. */
export type LeftOut = { name: string; why: string };

export type Chosen = { files: NamedFile[]; leftOut: LeftOut[] };

const housekeeping = new Set(['.ds_store', 'thumbs.db', 'ehthumbs.db', 'desktop.ini', '.localized']);

/** Why a file with this path is never worth sending; undefined for all others. What is DICOM, the server finds out by content. */
const reasonToLeaveOut = (path: string): string | undefined => {
  const base = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (housekeeping.has(base)) return 'A file of the operating system';
  if (base.startsWith('._') || path.includes('__MACOSX/')) return 'A file of the operating system';
  if (base === 'dicomdir') return 'A list of other files, which have to be chosen themselves';
  return undefined;
};

type Found = { name: string; file: File } | LeftOut;

/** After this many files the browser gets a moment for the screen: each look at a size is a look at the disk. */
const portion = 200;
const moment = () => new Promise((resolve) => setTimeout(resolve));

/** Parts what will be sent from what is left out. `onFound` hears from time to time how many there are so far. */
const sift = async (
  found: AsyncIterable<Found> | Iterable<Found>,
  onFound: (count: number) => void,
): Promise<Chosen> => {
  const chosen: Chosen = { files: [], leftOut: [] };
  let count = 0;
  for await (const one of found) {
    const why = 'why' in one ? one.why : reasonToLeaveOut(one.name);
    if (why !== undefined) chosen.leftOut.push({ name: one.name, why });
    else if ('file' in one) chosen.files.push({ name: one.name, file: one.file, size: one.file.size });
    count += 1;
    if (count % portion > 0) continue;
    onFound(count);
    await moment();
  }
  return chosen;
};

/** The files of a file or folder picker; those of a folder keep their paths. */
export const filesOfInput = (input: Iterable<File>, onFound: (count: number) => void): Promise<Chosen> =>
  sift(
    Array.from(input, (file) => ({ file, name: file.webkitRelativePath || file.name })),
    onFound,
  );

/**
 * The files of a drop, those inside folders included, at any depth. The entries have to be taken before the drop
 * event is over: call this inside its handler.
 */
export const filesOfDrop = (items: DataTransferItemList, onFound: (count: number) => void): Promise<Chosen> => {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return sift(filesBelowAll(entries), onFound);
};

async function* filesBelowAll(entries: readonly FileSystemEntry[]): AsyncGenerator<Found> {
  for (const entry of entries) yield* filesBelow(entry);
}

async function* filesBelow(entry: FileSystemEntry): AsyncGenerator<Found> {
  if (isFile(entry)) yield await fileOf(entry);
  if (!isFolder(entry)) return;
  try {
    for await (const child of childrenOf(entry)) yield* filesBelow(child);
  } catch {
    yield unreadable(entry);
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
      (file) => resolve({ name: nameOf(entry), file }),
      () => resolve(unreadable(entry)),
    );
  });
