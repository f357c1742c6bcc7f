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
  if (base === 'dicomdir') return 'A directory of the other files, which are uploaded themselves';
  return undefined;
};

/** Parts what will be sent from what is left out. */
export const sift = (files: readonly NamedFile[], leftOut: readonly LeftOut[] = []): Chosen => {
  const chosen: Chosen = { files: [], leftOut: [...leftOut] };
  for (const { name, file } of files) {
    const why = reasonToLeaveOut(name);
    if (why) chosen.leftOut.push({ name, why });
    else chosen.files.push({ name, file });
  }
  return chosen;
};

/** The files of a file or folder picker; those of a folder keep their paths. */
export const filesOfInput = (input: Iterable<File>): Chosen =>
  sift([...input].map((file) => ({ file, name: file.webkitRelativePath || file.name })));

/**
 * The files of a drop, those inside folders included, at any depth. `onFound` hears how many there are so far. The
 * entries have to be taken before the drop event is over: call this inside its handler.
 */
export const filesOfDrop = async (items: DataTransferItemList, onFound: (count: number) => void): Promise<Chosen> => {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const files: NamedFile[] = [];
  const leftOut: LeftOut[] = [];
  for (const entry of entries) {
    for await (const found of filesBelow(entry)) {
      if ('why' in found) leftOut.push(found);
      else files.push(found);
      onFound(files.length);
    }
  }
  return sift(files, leftOut);
};

async function* filesBelow(entry: FileSystemEntry): AsyncGenerator<NamedFile | LeftOut> {
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

const fileOf = (entry: FileSystemFileEntry): Promise<NamedFile | LeftOut> =>
  new Promise((resolve) => {
    entry.file(
      (file) => resolve({ name: nameOf(entry), file }),
      () => resolve(unreadable(entry)),
    );
  });
