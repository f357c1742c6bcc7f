import { t } from '../core/translate.ts';
import { z } from 'zod';
import { imageStream, asReading } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/** Accepted file types by extension. Each is served with one fixed content type. */
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

/** Largest file in bytes: 100 MB (C65). */
export const largestStoredFile = 100 << 20;
/** Most files in one call. */
export const maxFilesPerUpload = 20;
const longestName = 200;

export const storedFile = z.object({
  id: z.string(),
  filename: z.string(),
  contentType: z.string(),
  /** In bytes. */
  size: z.number(),
  /** Number of images in a DICOM file; null for other files. */
  frames: z.number().nullable(),
});
export type StoredFile = z.infer<typeof storedFile>;

export const storedFiles = {
  /** The original file under its own name (D-17). */
  download: imageStream('GET', '/api/files/:id/download', 'staff', 'stored_file.download'),
  /** Rendered image of a DICOM file. `frame` counts from 1; the options are those of DICOMweb rendering. */
  rendered: imageStream(
    'GET',
    '/api/files/:id/rendered',
    'staff',
    asReading('stored_file.view', 'stored_file', 'stored_file'),
  ),
};

/** Last part of a path from any operating system, in Unicode form NFC. */
export const baseName = (path: string): string => path.normalize('NFC').replace(/^.*[/\\]/s, '');

/** Characters that could disguise a file name: control characters and bidirectional marks. */
const deceptive = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const extensionOf = (name: string): string => /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '';

/** Example: "PDF, JPG or PNG". */
export const extensionList = (accept: readonly FileExtension[]): string => {
  const names = accept.map((extension) => extension.toUpperCase());
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
};

/** Type by extension; undefined if not accepted. */
export const claimedKind = (name: string, accept: readonly FileExtension[]): FileExtension | undefined => {
  const extension = extensionOf(name);
  return accept.find((accepted) => accepted === extension);
};

/** Returns why a file is rejected by name or size, as a message; undefined if accepted so far. */
export const refusalOfFile = (
  { name, size }: { name: string; size: number },
  accept: readonly FileExtension[],
): string | undefined => {
  const base = baseName(name);
  if (deceptive.test(base)) return t`The name contains misleading invisible characters`;
  if (base.length > longestName) return t`The name is longer than ${longestName} characters`;
  if (!claimedKind(base, accept)) return t`Only ${extensionList(accept)} files are accepted`;
  if (size === 0) return t`The file is empty`;
  return size > largestStoredFile ? tooLarge() : undefined;
};

export const tooLarge = () => t`The file is larger than ${largestStoredFile >> 20} MB`;
export const tooManyFiles = () => t`Upload at most ${maxFilesPerUpload} files at a time`;

export const noun = {
  streams: [storedFiles.download, storedFiles.rendered],
  entities: ['stored_file'],
  actions: {
    'Atlas and guidelines': {
      'stored_file.download': 'Downloaded atlas or guideline file',
      'stored_file.view': 'Viewed atlas or guideline file',
    },
  },
} as const satisfies Noun;
