import { type DicomJson, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';

/** Returns one image for each patient named in the headers, because a series may contain images of another patient. */
export const oneOfEachPatient = <Image extends { header: DicomJson }>(images: readonly Image[]): Image[] => [
  ...new Map(images.map((image) => [textOf(image.header, tag.PatientID), image])).values(),
];
