/** Kind of a refusal, for programs. Several faults share a kind. */
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

/**
 * Faults of a file whose sentence has no values. The sentences are for logs and commands; users read those of the
 * contract (contract/src/imaging/file-faults.ts), in their language.
 */
export const plainFaults = {
  containsDocument: ['STRUCTURE', 'Contains a document, whose text cannot be checked'],
  containsReport: ['STRUCTURE', 'Contains a report, whose text may name the patient'],
  deflatedForBrowser: ['TRANSFER_SYNTAX', 'The file is compressed as a whole: the browser cannot read it.'],
  deflatedPartDamaged: ['STRUCTURE', 'The compressed part of the file is damaged.'],
  deflatedTooLarge: ['LIMIT', 'The file is compressed as a whole and too large to decompress.'],
  directory: ['DICOMDIR', 'The file is a disc directory (DICOMDIR), not an image.'],
  document: ['STRUCTURE', 'A DICOM document, whose text cannot be checked'],
  empty: ['NOT_DICOM', 'The file is empty.'],
  endlessElement: ['LENGTH', 'The file header is damaged: an element has no end.'],
  headerDamaged: ['STRUCTURE', 'The file header is damaged.'],
  headerTooLarge: ['LIMIT', 'The file header is too large.'],
  identifiedTwice: ['DUPLICATE', 'The file identifies the patient or image twice.'],
  identifierTooLong: ['LIMIT', 'A name or identifier in the file is too long.'],
  imageDamaged: ['PIXEL', 'The image in the file is damaged.'],
  impossibleLength: ['LENGTH', 'The file header is damaged: it contains an impossible length.'],
  metaDamaged: ['META', 'The meta information of the file is damaged.'],
  modalityTableDamaged: ['PIXEL', 'The modality LUT of the image is damaged.'],
  nestedTooDeeply: ['LIMIT', 'The file header is nested too deeply.'],
  notDicom: ['NOT_DICOM', 'This is not a DICOM file.'],
  otherPixelEncoding: ['PIXEL', 'The encoding of the image differs from the one the file declares.'],
  overlayInPixels: ['STRUCTURE', 'Contains an overlay in unused pixel bits, which may name the patient'],
  paletteDamaged: ['PIXEL', 'The palette of the image is damaged.'],
  presentationState: ['STRUCTURE', 'A presentation state, whose annotations may name the patient'],
  proprietary: ['STRUCTURE', 'A proprietary object, whose content cannot be checked'],
  severalIssuers: [
    'STRUCTURE',
    'The file has more than one issuer of the patient ID. Correct it at the source and send it again.',
  ],
  severalPatientIds: [
    'STRUCTURE',
    'The file has more than one patient ID. Correct it at the source and send it again.',
  ],
  structuredReport: ['STRUCTURE', 'A structured report, whose text may name the patient'],
  syntaxTwice: ['META', 'The file declares its encoding twice.'],
  syntaxUndeclared: ['META', 'The file does not declare its encoding.'],
  syntaxUnknown: ['TRANSFER_SYNTAX', 'The encoding of the file is unknown.'],
  syntaxUnsupported: ['TRANSFER_SYNTAX', 'The encoding of the file is not supported.'],
  tooManyFragments: ['LIMIT', 'The image in the file has too many fragments.'],
  truncated: ['TRUNCATED', 'The file is incomplete: its end is missing.'],
  voiceRecording: ['STRUCTURE', 'A voice recording, which may name the patient'],
} as const satisfies Record<string, readonly [DicomErrorCode, string]>;

export type PlainFault = keyof typeof plainFaults;

/** The fault of a file, with the values of its sentence. They never quote the file. */
export type DicomFault =
  | { kind: PlainFault }
  | { kind: 'badUid' | 'missingUid'; keyword: string }
  | { kind: 'headerTooLong' | 'inflatedTooLarge'; mebibytes: number }
  | { kind: 'patientIdTooLong'; characters: number }
  | { kind: 'unassignableFrames'; frames: number; parts: number };

const describeFault = (fault: DicomFault): readonly [DicomErrorCode, string] => {
  switch (fault.kind) {
    case 'badUid':
      return ['UID', `The ${fault.keyword} of the file is not a valid UID.`];
    case 'missingUid':
      return ['UID', `The file has no ${fault.keyword}.`];
    case 'headerTooLong':
      return ['LIMIT', `More than ${fault.mebibytes} MiB precede the image.`];
    case 'inflatedTooLarge':
      return ['BOMB', `The decompressed file exceeds ${fault.mebibytes} MiB.`];
    case 'patientIdTooLong':
      return ['LIMIT', `The patient ID in the file is longer than ${fault.characters} characters.`];
    case 'unassignableFrames':
      return [
        'PIXEL',
        `The file declares ${fault.frames} frames, but its image consists of ${fault.parts} parts that cannot be assigned to them.`,
      ];
    default:
      return plainFaults[fault.kind];
  }
};

/** The reason to refuse a file. The message is English, for logs and commands, and never quotes the file. */
export class DicomError extends Error {
  override readonly name = 'DicomError';
  readonly fault: DicomFault;
  readonly code: DicomErrorCode;

  constructor(fault: DicomFault | PlainFault) {
    const whole = typeof fault === 'string' ? { kind: fault } : fault;
    const [code, message] = describeFault(whole);
    super(message);
    this.fault = whole;
    this.code = code;
  }
}

/** More bytes of the file are needed. The file itself is valid so far. */
export class NeedMoreBytes extends Error {
  override readonly name = 'NeedMoreBytes';
  /** The number of bytes from the start of the file with which to try again, at most the file size. */
  readonly needed: number;
  /** The bytes to read next. The bytes between those already given and these are skipped. */
  readonly next: { readonly from: number; readonly to: number };
  /** The number of elements and values read so far. Another attempt reads them again. */
  readonly effort: number;

  constructor(needed: number, next: NeedMoreBytes['next'], effort: number) {
    super(`The first ${needed} bytes of the file are needed`);
    this.needed = needed;
    this.next = next;
    this.effort = effort;
  }
}

export const truncated = (): DicomError => new DicomError('truncated');
