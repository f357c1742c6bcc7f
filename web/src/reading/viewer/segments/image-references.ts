import { t } from '@lingui/core/macro';
import { type DicomJson, itemsOf, numbersOf, type Tag, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { ImageReference } from './segment-set.ts';

/** Returns the images referenced in a sequence (PS3.3 §10.3, Image SOP Instance Reference Macro). */
export const referencesIn = (item: DicomJson, sequence: Tag): ImageReference[] =>
  itemsOf(item, sequence).flatMap((reference) => {
    const sopInstanceUID = textOf(reference, tag.ReferencedSOPInstanceUID);
    return sopInstanceUID ? [{ sopInstanceUID, frames: numbersOf(reference, tag.ReferencedFrameNumber) }] : [];
  });

const codes: Record<string, string> = {
  BINARY: t`Binary`,
  LABELMAP: t`Labelmap`,
  AUTOMATIC: t`Automatic`,
  SEMIAUTOMATIC: t`Semiautomatic`,
  MANUAL: t`Manual`,
};

/** Returns the label of a DICOM code. Unknown codes are shown in sentence case. */
export const codeLabel = (code: string): string => codes[code] ?? code.charAt(0) + code.slice(1).toLowerCase();

/** Returns the title of an object: its series description, or a default. */
export const titleOf = (header: DicomJson, otherwise: string): string =>
  textOf(header, tag.SeriesDescription) || otherwise;
