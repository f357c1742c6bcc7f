import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { fusionRefusal } from '@radwork/contract/core/modalities';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconArrowLeft, IconEye, IconStack2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatAge } from '#ui/formats/formats.ts';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { lastListAddress } from '#imaging/studies/last-list-address.ts';
import { viewerPath } from '#imaging/studies/study-actions.tsx';
import styles from './study-patient-strip.module.css';

type Props = { study: StudyDetails; children?: ReactNode };

/**
 * Header with the patient, always visible: name and ID first, then other identifying details. `children` are further
 * buttons.
 */
export function StudyPatientStrip({ study, children }: Props) {
  const { patient, modality, modalities, description, studyDescription } = study;
  return (
    <header className={styles.strip}>
      <Tooltip label={t`Back to study list`}>
        <ActionIcon
          aria-label={t`Back to study list`}
          renderRoot={(props) => <Link to="/studies" search={lastListAddress()} {...props} />}
        >
          <IconArrowLeft size={18} />
        </ActionIcon>
      </Tooltip>
      <h1 className={styles.patient}>
        <span className={styles.name}>{patient.patientName || t`No name`}</span>
        <span className={styles.identity}>{identityOf(study)}</span>
      </h1>
      <p className={styles.study}>
        <ModalityTag modality={modality} all={modalities} />
        <span className={styles.description}>{description || studyDescription || t`No description`}</span>
      </p>
      <div className={styles.actions}>
        <FusionButton study={study} />
        <Button
          variant="default"
          leftSection={<IconEye size={15} aria-hidden />}
          renderRoot={(props) => <Link to={viewerPath(study)} params={{ id: study.id }} preload="intent" {...props} />}
        >
          {t`Open viewer`}
        </Button>
        {children}
      </div>
    </header>
  );
}

const sexes = { M: t`Male`, F: t`Female`, O: t`Other`, U: t`Sex unknown` } as const;

const identityOf = ({ patient, studyDate, createdDate }: StudyDetails) => {
  const { patientId, gender, dateOfBirth } = patient;
  const age = formatAge(dateOfBirth, studyDate ?? createdDate);
  return [patientId, sexes[gender], age, dateOfBirth ? t`born ${dateOfBirth}` : t`birth date unknown`]
    .filter(Boolean)
    .join(' · ');
};

function FusionButton({ study }: { study: StudyDetails }) {
  const refusal = fusionRefusal(study.modalities);
  const icon = <IconStack2 size={15} aria-hidden />;
  if (!refusal) {
    return (
      <Button
        variant="default"
        leftSection={icon}
        renderRoot={(props) => <Link to="/petct/{-$id}" params={{ id: study.id }} {...props} />}
      >
        {t`Fusion`}
      </Button>
    );
  }
  // Uses `aria-disabled`, because a `disabled` button could not show its reason to mouse or keyboard users.
  return (
    <Tooltip label={refusal}>
      <Button
        variant="default"
        leftSection={icon}
        className={styles.refused ?? ''}
        aria-disabled
        aria-description={refusal}
      >
        {t`Fusion`}
      </Button>
    </Tooltip>
  );
}
