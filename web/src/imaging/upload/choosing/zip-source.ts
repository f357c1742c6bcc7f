import { t } from '@lingui/core/macro';
import { BlobReader, type Entry, type FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';
import type { SkippedFile } from './chosen-files.ts';
import { type FileSource, SourceProblem } from './file-source.ts';

/** Limits for the number of entries and for the size of an entry, because the browser holds both in memory. */
const most = { entries: 100_000, bytesOfEntry: 2 * 1024 ** 3 } as const;

/**
 * Options that accept any entry name, because names are shown but never written to disk. They also allow padding,
 * because media are filled up to whole blocks.
 */
const lenience = {
  useWebWorkers: false,
  filenameValidation: 'tolerant',
  // Converts the backslashes that Windows programs write, although APPNOTE 4.4.17.1 forbids them.
  normalizeFilename: (name: string) => name.replaceAll('\\', '/'),
  maxAppendedDataSize: 1024 ** 2,
} as const;

export type OpenedZip = { sources: FileSource[]; unreadable: SkippedFile[] };

const protectedWords = t`Protected by a password. Unpack the ZIP file, then choose the folder`;
const tooLargeWords = t`Larger than 2 GB. Unpack the ZIP file, then choose the folder`;
const otherwisePackedWords = t`The browser cannot read this compression. Unpack the ZIP file with another program, then choose the folder`;
const damagedWords = t`Damaged, or not a ZIP file. Unpack it with another program, then choose the folder`;
const tooManyWords = t`More than 100,000 files. Unpack the ZIP file, then choose the folder`;

/**
 * Lists the files of a ZIP file from its central directory, without unpacking them. The listed sizes are not trusted:
 * unpacking counts the bytes. Throws SourceProblem if the file is not a ZIP file, is damaged, or is protected as a
 * whole.
 */
export const openZip = async (zip: FileSource): Promise<OpenedZip> => {
  const reader = new ZipReader(new BlobReader(await zip.open()), lenience);
  const opened: OpenedZip = { sources: [], unreadable: [] };
  let isProtected = false;
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      if (!hasBytes(entry)) continue;
      const name = `${zip.name}/${entry.filename.replace(/^\/+/, '')}`;
      if (opened.sources.length + opened.unreadable.length >= most.entries) throw new SourceProblem(tooManyWords);
      const why = whyUnreadable(entry);
      isProtected ||= entry.encrypted;
      if (why) opened.unreadable.push({ name, why });
      else opened.sources.push(sourceOfEntry(entry, name));
    }
  } catch (error) {
    throw error instanceof SourceProblem ? error : new SourceProblem(damagedWords);
  }
  if (isProtected && opened.sources.length === 0) throw new SourceProblem(protectedWords);
  return opened;
};

/** Whether an entry is a file. Some files have directory attributes, but zip.js unpacks them anyway. */
const hasBytes = (entry: Entry): entry is FileEntry => !entry.directory || entry.uncompressedSize > 0;

/**
 * Supported compression methods: Stored and Deflate (APPNOTE 4.4.5). Others, such as Deflate64 and LZMA, are not
 * supported.
 */
const readMethods = new Set([0, 8]);

const whyUnreadable = ({ encrypted, compressionMethod, uncompressedSize }: FileEntry): string | undefined => {
  if (encrypted) return protectedWords;
  if (!readMethods.has(compressionMethod)) return otherwisePackedWords;
  return uncompressedSize > most.bytesOfEntry ? tooLargeWords : undefined;
};

const sourceOfEntry = (entry: FileEntry, name: string): FileSource => ({
  name,
  size: entry.uncompressedSize,
  modified: entry.lastModDate.getTime(),
  isPacked: true,
  head: (length) => unpacked(entry, length),
  open: () => unpacked(entry),
});

/**
 * Returns all bytes of an entry, or the first `neededLength` bytes. The checksum is verified only when all bytes are read.
 */
const unpacked = async (entry: FileEntry, neededLength?: number): Promise<Blob> => {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const isEnough = () => neededLength !== undefined && length >= neededLength;
  const sink = new WritableStream<Uint8Array<ArrayBuffer>>({
    write: (chunk) => {
      length += chunk.length;
      if (length > entry.uncompressedSize) throw new SourceProblem(t`Larger than the size stated in the ZIP file`);
      chunks.push(chunk);
      if (isEnough()) throw new Error('Enough has been unpacked');
    },
  });
  try {
    await entry.getData(sink, { useWebWorkers: false, checkSignature: neededLength === undefined });
  } catch (error) {
    if (!isEnough()) throw problemOf(error);
  }
  return new Blob(chunks);
};

const problemOf = (error: unknown) =>
  error instanceof SourceProblem ? error : new SourceProblem(t`Damaged inside the ZIP file`);
