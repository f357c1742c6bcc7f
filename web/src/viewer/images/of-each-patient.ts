import { type DicomJson, tag, textOf } from './dicom-json.ts';

/** One image for each patient that the headers name: a series may hold images of somebody else. */
export const oneOfEachPatient = <Image extends { header: DicomJson }>(images: readonly Image[]): Image[] => [
  ...new Map(images.map((image) => [textOf(image.header, tag.PatientID), image])).values(),
];
