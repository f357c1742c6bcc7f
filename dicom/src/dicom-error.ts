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

/** Why a file is refused. The message is read by the person who sent the file, and never quotes what is in it. */
export class DicomError extends Error {
  override readonly name = 'DicomError';
  readonly code: DicomErrorCode;

  constructor(code: DicomErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Nothing is wrong, but the beginning of the file that was given does not reach far enough. */
export class NeedMoreBytes extends Error {
  override readonly name = 'NeedMoreBytes';
  /** How many bytes of the file, counted from its start, to try again with; never more than the file has. */
  readonly wanted: number;
  /** Those that are looked at next. What is between them and the end of what was given is passed over. */
  readonly next: { readonly from: number; readonly to: number };
  /** How many elements and values have been read so far, and will be again: what another attempt costs. */
  readonly effort: number;

  constructor(wanted: number, next: NeedMoreBytes['next'], effort: number) {
    super(`The first ${wanted} bytes of the file are needed`);
    this.wanted = wanted;
    this.next = next;
    this.effort = effort;
  }
}

export const truncated = (): DicomError =>
  new DicomError('TRUNCATED', 'The file is cut short: the last part of it is missing.');
