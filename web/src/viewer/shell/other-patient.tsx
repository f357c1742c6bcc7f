import { type DicomJson, tag, textOf } from '#viewer/images/dicom-json.ts';
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
