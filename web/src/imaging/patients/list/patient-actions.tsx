import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import { patients, type PatientRow } from '@radwork/contract/imaging/patients';
import { IconPencil, IconTrash, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { may } from '#core/state/session.ts';
import { RowActions } from '#ui/tables/row-actions.tsx';

const icon = { size: 16, stroke: 1.6 } as const;

type Props = { patient: PatientRow; onRemove: (patient: PatientRow) => void };

/** Actions on a patient, at the end of its row. */
export function PatientActions({ patient, onRemove }: Props) {
  const { id, patientName } = patient;
  return (
    <RowActions>
      <Tooltip label={t`View details`}>
        <ActionIcon
          aria-label={t`View details of ${patientName}`}
          renderRoot={(root) => <Link to="/patients/$id" params={{ id }} {...root} />}
        >
          <IconUser {...icon} />
        </ActionIcon>
      </Tooltip>
      {may(patients.update) && (
        <Tooltip label={t`Edit patient`}>
          <ActionIcon
            aria-label={t`Edit ${patientName}`}
            renderRoot={(root) => <Link to="/patients/$id/edit" params={{ id }} {...root} />}
          >
            <IconPencil {...icon} />
          </ActionIcon>
        </Tooltip>
      )}
      {may(patients.remove) && (
        <Tooltip label={t`Delete patient`}>
          <ActionIcon aria-label={t`Delete ${patientName}`} onClick={() => onRemove(patient)}>
            <IconTrash {...icon} />
          </ActionIcon>
        </Tooltip>
      )}
    </RowActions>
  );
}
