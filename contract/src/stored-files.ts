import { z } from 'zod';
import { imageStream } from './endpoint.ts';

/** The kinds of files that are kept beside texts, by what their names end in; each is served as one fixed type. */
export const fileTypes = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  dcm: 'application/dicom',
  dicom: 'application/dicom',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  txt: 'text/plain',
} as const;
export type FileExtension = keyof typeof fileTypes;

/** 100 MB (C65), in bytes. */
export const largestStoredFile = 100 << 20;
/** Files that one call may bring. */
export const mostFilesAtOnce = 20;
const longestName = 200;

export const storedFile = z.object({
  id: z.string(),
  filename: z.string(),
  contentType: z.string(),
  /** In bytes. */
  size: z.number(),
  /** How many pictures a DICOM file can be shown as; null for any other file. */
  frames: z.number().nullable(),
});
export type StoredFile = z.infer<typeof storedFile>;

export const storedFiles = {
  /** The file as it came, under its own name (D-17). */
  download: imageStream('GET', '/api/files/:id/download', 'staff'),
  /** A picture of a DICOM file; `frame` counts from 1, and the options are those of DICOMweb's rendered pictures. */
  rendered: imageStream('GET', '/api/files/:id/rendered', 'staff'),
};

/** The last part of a path as browsers or other software may send it, in one form of Unicode. */
export const baseName = (path: string): string => path.normalize('NFC').replace(/^.*[/\\]/s, '');

/** What hides how a name ends, or is none of a name: control characters, and those that change the direction of text. */
const deceptive = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const extensionOf = (name: string): string => /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '';

/** "PDF, JPG or PNG". */
export const listed = (accept: readonly FileExtension[]): string => {
  const names = accept.map((extension) => extension.toUpperCase());
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
};

/** The kind that a name claims; undefined for one that is not accepted. */
export const claimedKind = (name: string, accept: readonly FileExtension[]): FileExtension | undefined => {
  const extension = extensionOf(name);
  return accept.find((accepted) => accepted === extension);
};

/** Why a file of this name and size is not taken, in words; undefined when nothing speaks against it yet. */
export const refusalOfFile = (
  { name, size }: { name: string; size: number },
  accept: readonly FileExtension[],
): string | undefined => {
  const base = baseName(name);
  if (deceptive.test(base)) return 'The name holds characters that hide what it is';
  if (base.length > longestName) return `The name is longer than ${longestName} characters`;
  if (!claimedKind(base, accept)) return `Only ${listed(accept)} files are taken`;
  if (size === 0) return 'The file is empty';
  return size > largestStoredFile ? tooLarge : undefined;
};

export const tooLarge = `The file is larger than ${largestStoredFile >> 20} MB`;
export const tooManyFiles = `Send ${mostFilesAtOnce} files at most at a time`;
