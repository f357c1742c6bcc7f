import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { genderLabels, patients, type PatientDetails } from '@radwork/contract/imaging/patients';
import { studies } from '@radwork/contract/imaging/studies';
import { IconArrowLeft, IconDotsVertical, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { may } from '#core/state/session.ts';
import { formatAge } from '#ui/formats/formats.ts';
import { useNow } from '#ui/formats/use-now.ts';
import { patientsPlace } from '#imaging/patients/list/last-list-address.ts';
import { PatientPriority } from '#imaging/patients/list/patient-priority.tsx';
import styles from './patient-strip.module.css';

type Props = { patient: PatientDetails; onRemove: () => void; children?: ReactNode };

/** Header with the patient, always visible, and with the actions on the record. `children` are further menu items. */
export function PatientStrip({ patient, onRemove, children }: Props) {
  const { id, patientName, patientId, gender, dateOfBirth, mergedInto } = patient;
  const now = useNow();
  const age = formatAge(dateOfBirth, now.toISOString());
  const born = dateOfBirth ? t`born ${dateOfBirth} (${age})` : t`birth date unknown`;
  return (
    <header className={styles.strip}>
      <Tooltip label={t`Back to the patient list`}>
        <ActionIcon
          aria-label={t`Back to the patient list`}
          renderRoot={(props) => <Link to="/patients" search={patientsPlace()} {...props} />}
        >
          <IconArrowLeft size={18} />
        </ActionIcon>
      </Tooltip>
      <h1 className={styles.patient}>
        <span className={styles.name}>{patientName || t`No name`}</span>
        <span className={styles.identity}>{[patientId, genderLabels[gender], born].join(' · ')}</span>
      </h1>
      <PatientPriority priority={patient.priority} />
      {mergedInto === null && may(patients.update) && (
        <div className={styles.actions}>
          {may(studies.create) && <RegisterStudy patientId={id} />}
          <Button
            variant="default"
            leftSection={<IconPencil size={15} aria-hidden />}
            renderRoot={(props) => <Link to="/patients/$id/edit" params={{ id }} {...props} />}
          >
            {t`Edit`}
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon size={30} aria-label={t`More actions`}>
                <IconDotsVertical size={17} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {children}
              <Menu.Item color="red.4" leftSection={<IconTrash size={15} />} onClick={onRemove}>
                {t`Delete patient`}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      )}
    </header>
  );
}

/** Opens the form for a study without images, with this patient selected. */
function RegisterStudy({ patientId }: { patientId: string }) {
  return (
    <Button
      variant="default"
      leftSection={<IconPlus size={15} aria-hidden />}
      renderRoot={(props) => <Link to="/studies/create" search={{ form: 'register', patientId }} {...props} />}
    >
      {t`Register study`}
    </Button>
  );
}
