import { type DicomJson, itemsOf, numbersOf, type Tag, tag, textOf } from '#viewer/images/dicom-json.ts';
import type { ImageReference } from './segment-set.ts';

/** The images that the items of a sequence name (PS3.3 §10.3, Image SOP Instance Reference Macro). */
export const referencesIn = (item: DicomJson, sequence: Tag): ImageReference[] =>
  itemsOf(item, sequence).flatMap((reference) => {
    const sopInstanceUID = textOf(reference, tag.ReferencedSOPInstanceUID);
    return sopInstanceUID ? [{ sopInstanceUID, frames: numbersOf(reference, tag.ReferencedFrameNumber) }] : [];
  });

/** What is said of an object beside its content: the words of the series, or of the object itself. */
export const titleOf = (header: DicomJson, otherwise: string): string =>
  textOf(header, tag.SeriesDescription) || otherwise;
