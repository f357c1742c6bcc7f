import { t } from '../core/translate.ts';
import { z } from 'zod';
import { imageStream, asReading } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/** Accepted file types by extension. The server serves each with a fixed content type. */
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

/** Size of the largest file in bytes: 100 MB. */
export const largestStoredFile = 100 << 20;
/** Maximum number of files in one call. */
export const maxFilesPerUpload = 20;
const longestName = 200;

export const storedFile = z.object({
  id: z.string(),
  filename: z.string(),
  contentType: z.string(),
  /** Size in bytes. */
  size: z.number(),
  /** Number of images in a DICOM file; null for other files. */
  frames: z.number().nullable(),
});
export type StoredFile = z.infer<typeof storedFile>;

export const storedFiles = {
  /** Downloads the original file under its own name. */
  download: imageStream('GET', '/api/files/:id/download', 'staff', 'stored_file.download'),
  /** Renders an image of a DICOM file. `frame` counts from 1; the options are those of DICOMweb rendering. */
  rendered: imageStream(
    'GET',
    '/api/files/:id/rendered',
    'staff',
    asReading('stored_file.view', 'stored_file', 'stored_file'),
  ),
};

/** Returns the last part of a path of any operating system, in Unicode form NFC. */
export const baseName = (path: string): string => path.normalize('NFC').replace(/^.*[/\\]/s, '');

/** Characters that could disguise the name of a file: control characters and bidirectional marks. */
const deceptive = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const extensionOf = (name: string): string => /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '';

/** Returns a text such as "PDF, JPG or PNG". */
export const extensionList = (accept: readonly FileExtension[]): string => {
  const names = accept.map((extension) => extension.toUpperCase());
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
};

/** Returns the file type by extension. Undefined if the type is not accepted. */
export const claimedKind = (name: string, accept: readonly FileExtension[]): FileExtension | undefined => {
  const extension = extensionOf(name);
  return accept.find((accepted) => accepted === extension);
};

/** Returns the reason why a file is rejected because of its name or size. Undefined if the file is accepted. */
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
