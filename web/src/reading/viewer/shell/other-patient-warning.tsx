import { t } from '@lingui/core/macro';
import { type DicomJson, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { oneOfEachPatient } from '#reading/viewer/images/series/one-per-patient.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import styles from './other-patient-warning.module.css';

type Props = {
  header: DicomJson;
  /** Patient ID as stored in the archive. */
  patientId: string;
  /** Kind of object to which the header belongs. */
  what?: 'image' | 'document';
};

/** Warns that a header names another patient than the study does. */
export function OtherPatientWarning({ header, patientId, what = 'image' }: Props) {
  const writtenId = textOf(header, tag.PatientID);
  if (writtenId === '' || writtenId === patientId) return null;
  return (
    <strong className={styles.mismatch}>
      {what === 'image' ? t`The image names patient ${writtenId}` : t`The document names patient ${writtenId}`}
    </strong>
  );
}

/**
 * Warns of other patients in all images of a series, each once. A plane through the images may show another patient.
 */
export const OtherPatients = ({ images, patientId }: { images: readonly SeriesImage[]; patientId: string }) =>
  oneOfEachPatient(images).map(({ imageId, header }) => (
    <OtherPatientWarning key={imageId} header={header} patientId={patientId} />
  ));
