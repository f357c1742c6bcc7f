import { type DicomJson, tag, textOf } from '#viewer/images/dicom-json.ts';
import { oneOfEachPatient } from '#viewer/images/of-each-patient.ts';
import type { SeriesImage } from '#viewer/images/series-loader.ts';
import styles from './other-patient.module.css';

type Props = {
  header: DicomJson;
  /** The patient's number as the archive knows it. */
  patientId: string;
  /** What it is that has the header. */
  what?: 'image' | 'document';
};

/** Warns of an image or a document whose header names somebody else than the patient whose study it is in. */
export function OtherPatient({ header, patientId, what = 'image' }: Props) {
  const writtenId = textOf(header, tag.PatientID);
  if (writtenId === '' || writtenId === patientId) return null;
  return (
    <strong className={styles.mismatch}>
      The {what} itself names patient {writtenId}
    </strong>
  );
}

/** The same of all images of a series, each patient once: what is cut through all of them may show somebody else. */
export const OtherPatients = ({ images, patientId }: { images: readonly SeriesImage[]; patientId: string }) =>
  oneOfEachPatient(images).map(({ imageId, header }) => (
    <OtherPatient key={imageId} header={header} patientId={patientId} />
  ));
