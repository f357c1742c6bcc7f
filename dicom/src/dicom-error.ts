export type DicomErrorCode =
  | 'NOT_DICOM'
  | 'DICOMDIR'
  | 'META'
  | 'TRANSFER_SYNTAX'
  | 'TRUNCATED'
  | 'LENGTH'
  | 'STRUCTURE'
  | 'UID'
  | 'DUPLICATE'
  | 'PIXEL'
  | 'LIMIT'
  | 'BOMB';

/** The reason to refuse a file. The sender reads the message, which never quotes the file. */
export class DicomError extends Error {
  override readonly name = 'DicomError';
  readonly code: DicomErrorCode;

  constructor(code: DicomErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** More bytes of the file are needed. The file itself is valid so far. */
export class NeedMoreBytes extends Error {
  override readonly name = 'NeedMoreBytes';
  /** The number of bytes from the start of the file with which to try again, at most the file size. */
  readonly wanted: number;
  /** The bytes to read next. The bytes between those already given and these are skipped. */
  readonly next: { readonly from: number; readonly to: number };
  /** The number of elements and values read so far. Another attempt reads them again. */
  readonly effort: number;

  constructor(wanted: number, next: NeedMoreBytes['next'], effort: number) {
    super(`The first ${wanted} bytes of the file are needed`);
    this.wanted = wanted;
    this.next = next;
    this.effort = effort;
  }
}

export const truncated = (): DicomError => new DicomError('TRUNCATED', 'The file is incomplete: its end is missing.');
