import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { formatAge, formatLocal } from '#ui/formats/formats.ts';
import { sexes } from '#reading/viewer/pictures/picture-text.ts';
import { ModeSwitch } from './mode-switch.tsx';
import styles from './patient-banner.module.css';

/** Banner with the patient and study of the images. Visible whenever an image is visible. */
export function PatientBanner({ study }: { study: StudyDetails }) {
  const { patient, studyDate, studyDescription, accessionNumber } = study;
  const age = formatAge(patient.dateOfBirth, studyDate ?? '');
  return (
    <header className={styles.banner}>
      <Tooltip position="right" label={t`Back to the study`}>
        <ActionIcon
          aria-label={t`Back to the study`}
          renderRoot={(props) => <Link to="/studies/$id" params={{ id: study.id }} {...props} />}
        >
          <IconArrowLeft size={17} />
        </ActionIcon>
      </Tooltip>
      <h1 className={styles.name}>{patient.patientName || t`No name`}</h1>
      <span className={styles.id}>{patient.patientId}</span>
      <span>
        {patient.dateOfBirth ?? t`birth date unknown`}
        {age && ` (${age})`}
      </span>
      <span>{sexes[patient.gender]}</span>
      <span className={styles.study}>
        <strong>{studyDescription || t`No description`}</strong>
        <span>{formatLocal(studyDate) || t`no date`}</span>
        {accessionNumber && <span className={styles.accession}>{accessionNumber}</span>}
      </span>
      <ModeSwitch study={study} />
      <span className={styles.caution}>{t`Not for primary diagnosis`}</span>
    </header>
  );
}
