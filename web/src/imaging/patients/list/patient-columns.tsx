import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { genderLabels, type PatientRow } from '@radwork/contract/imaging/patients';
import { Link } from '@tanstack/react-router';
import type { Column } from '#ui/tables/data-table.tsx';
import { formatAge, formatLocal } from '#ui/formats/formats.ts';
import { IdentityPill } from '#ui/marks/identity-pill.tsx';
import { useNow } from '#ui/formats/use-now.ts';
import styles from './patient-columns.module.css';
import { PatientActions } from './patient-actions.tsx';
import { PatientPriority } from './patient-priority.tsx';

/** Columns of the patient list. The ID of a sortable column is the sort field of the server. */
export const patientColumns = (onRemove: (patient: PatientRow) => void): Column<PatientRow>[] => [
  {
    id: 'patientName',
    header: t`Patient name`,
    meta: { sort: 'asc', isRowName: true, takesRest: true },
    cell: ({ row }) => <Name patient={row.original} />,
  },
  {
    id: 'patientId',
    header: t`Patient ID`,
    meta: { sort: 'asc', card: { order: 1 } },
    cell: ({ row }) => <Identifier patient={row.original} />,
  },
  {
    id: 'gender',
    header: t`Gender`,
    meta: { sort: 'asc', card: { order: 2 } },
    cell: ({ row }) => genderLabels[row.original.gender],
  },
  {
    id: 'dateOfBirth',
    header: t`Date of birth`,
    meta: { sort: 'asc', card: { order: 3 } },
    cell: ({ row }) => <Birth patient={row.original} />,
  },
  {
    id: 'phoneNumber',
    header: t`Phone`,
    meta: { card: { order: 6 } },
    cell: ({ row }) => row.original.phoneNumber,
  },
  {
    id: 'studyCount',
    header: t`Studies`,
    meta: { card: { label: t`Studies`, order: 4 } },
    cell: ({ row }) => row.original.studyCount,
  },
  {
    id: 'lastStudyDate',
    header: t`Last study`,
    meta: { sort: 'desc', card: { label: t`Last`, order: 5 } },
    cell: ({ row }) => formatLocal(row.original.lastStudyDate) || <span className="muted">{t`None`}</span>,
  },
  {
    id: 'priority',
    header: t`Priority`,
    meta: { card: { isCorner: true } },
    cell: ({ row }) => <PatientPriority priority={row.original.priority} />,
  },
  {
    id: 'actions',
    header: t`Actions`,
    meta: { isTitleHidden: true, card: { order: 7 } },
    cell: ({ row }) => <PatientActions patient={row.original} onRemove={onRemove} />,
  },
];

function Name({ patient }: { patient: PatientRow }) {
  const { id, patientName, identity } = patient;
  return (
    <>
      <Link className={styles.name} to="/patients/$id" params={{ id }} title={patientName} data-whole>
        {patientName || t`No name`}
      </Link>
      <IdentityPill mark={identity} patientName={patientName} />
    </>
  );
}

/** Shows the Patient ID. If a former ID matched the search, also shows the former ID. */
function Identifier({ patient: { patientId, issuer, formerId } }: { patient: PatientRow }) {
  return (
    <span title={issuer && t`Issued by ${issuer}`}>
      {patientId}
      {formerId !== undefined && (
        <span className={styles.former}>
          <Trans>was {formerId}</Trans>
        </span>
      )}
    </span>
  );
}

function Birth({ patient }: { patient: PatientRow }) {
  const now = useNow();
  if (!patient.dateOfBirth) return <span className="muted">{t`Unknown`}</span>;
  return (
    <>
      {patient.dateOfBirth} <span className={styles.age}>{formatAge(patient.dateOfBirth, now.toISOString())}</span>
    </>
  );
}
