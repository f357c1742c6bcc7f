import { t } from '../core/translate.ts';

const plainSentences = {
  containsDocument: () => t`Contains a document, whose text cannot be checked`,
  containsReport: () => t`Contains a report, whose text may name the patient`,
  deflatedForBrowser: () => t`The file is compressed as a whole: the browser cannot read it.`,
  deflatedPartDamaged: () => t`The compressed part of the file is damaged.`,
  deflatedTooLarge: () => t`The file is compressed as a whole and too large to decompress.`,
  directory: () => t`The file is a disc directory (DICOMDIR), not an image.`,
  document: () => t`A DICOM document, whose text cannot be checked`,
  empty: () => t`The file is empty.`,
  endlessElement: () => t`The file header is damaged: an element has no end.`,
  headerDamaged: () => t`The file header is damaged.`,
  headerTooLarge: () => t`The file header is too large.`,
  identifiedTwice: () => t`The file identifies the patient or image twice.`,
  identifierTooLong: () => t`A name or identifier in the file is too long.`,
  imageDamaged: () => t`The image in the file is damaged.`,
  impossibleLength: () => t`The file header is damaged: it contains an impossible length.`,
  metaDamaged: () => t`The meta information of the file is damaged.`,
  modalityTableDamaged: () => t`The modality LUT of the image is damaged.`,
  nestedTooDeeply: () => t`The file header is nested too deeply.`,
  notDicom: () => t`This is not a DICOM file.`,
  otherPixelEncoding: () => t`The encoding of the image differs from the one the file declares.`,
  overlayInPixels: () => t`Contains an overlay in unused pixel bits, which may name the patient`,
  paletteDamaged: () => t`The palette of the image is damaged.`,
  presentationState: () => t`A presentation state, whose annotations may name the patient`,
  proprietary: () => t`A proprietary object, whose content cannot be checked`,
  severalIssuers: () =>
    t`The file has more than one issuer of the patient ID. Correct it at the source and send it again.`,
  severalPatientIds: () => t`The file has more than one patient ID. Correct it at the source and send it again.`,
  structuredReport: () => t`A structured report, whose text may name the patient`,
  syntaxTwice: () => t`The file declares its encoding twice.`,
  syntaxUndeclared: () => t`The file does not declare its encoding.`,
  syntaxUnknown: () => t`The encoding of the file is unknown.`,
  syntaxUnsupported: () => t`The encoding of the file is not supported.`,
  tooManyFragments: () => t`The image in the file has too many fragments.`,
  truncated: () => t`The file is incomplete: its end is missing.`,
  voiceRecording: () => t`A voice recording, which may name the patient`,
};

/**
 * A fault of a DICOM file, with the values for its sentence. Repeats the type of dicom/src/dicom-error.ts, which the
 * contract cannot import. If a fault has no sentence here, the code that translates it does not compile.
 */
export type FileFault =
  | { kind: keyof typeof plainSentences }
  | { kind: 'badUid' | 'missingUid'; keyword: string }
  | { kind: 'headerTooLong' | 'inflatedTooLarge'; mebibytes: number }
  | { kind: 'patientIdTooLong'; characters: number }
  | { kind: 'unassignableFrames'; frames: number; parts: number };

/** Returns the reason why a file is refused, for a user. */
export const sentenceOfFault = (fault: FileFault): string => {
  switch (fault.kind) {
    case 'badUid':
      return t`The ${fault.keyword} of the file is not a valid UID.`;
    case 'missingUid':
      return t`The file has no ${fault.keyword}.`;
    case 'headerTooLong':
      return t`More than ${fault.mebibytes} MiB precede the image.`;
    case 'inflatedTooLarge':
      return t`The decompressed file exceeds ${fault.mebibytes} MiB.`;
    case 'patientIdTooLong':
      return t`The patient ID in the file is longer than ${fault.characters} characters.`;
    case 'unassignableFrames':
      return t`The file declares ${fault.frames} frames, but its image consists of ${fault.parts} parts that cannot be assigned to them.`;
    default:
      return plainSentences[fault.kind]();
  }
};
