import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { formatLocal } from '#ui/formats/formats.ts';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import styles from './study-form.module.css';
import { nameOfStudy } from '#imaging/studies/study-name.ts';

/** Shows which patient and study the user is editing. */
export function StudyHeading({ study }: { study: StudyDetails }) {
  const { patient, modality, modalities, studyDate } = study;
  const { dateOfBirth } = patient;
  return (
    <p className={styles.about}>
      <strong>{patient.patientName || t`No name`}</strong>
      <span>{[patient.patientId, dateOfBirth && t`born ${dateOfBirth}`].filter(Boolean).join(' · ')}</span>
      <ModalityTag modality={modality} all={modalities} />
      <span>{[nameOfStudy(study), formatLocal(studyDate)].filter(Boolean).join(' · ')}</span>
    </p>
  );
}
