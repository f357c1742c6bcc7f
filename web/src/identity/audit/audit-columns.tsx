import { t } from '@lingui/core/macro';
import type { AuditEntry, AuditSubject } from '@radwork/contract/identity/audit';
import { auditActionWords } from '@radwork/contract/audit-actions';
import { Link } from '@tanstack/react-router';
import type { Column } from '#ui/tables/data-table.tsx';
import styles from './audit-columns.module.css';

/** Columns of the audit log: time, user, organization, action, subject, patient, outcome and IP address. */
export const auditColumns: Column<AuditEntry>[] = [
  {
    id: 'time',
    header: t`Time`,
    meta: { isRowName: true },
    cell: ({ row }) => <time dateTime={row.original.time}>{timeOf(row.original.time)}</time>,
  },
  { id: 'user', header: t`User`, meta: { card: { order: 1 } }, cell: ({ row }) => row.original.user.username },
  { id: 'tenant', header: t`Organization`, meta: { card: { order: 7 } }, cell: ({ row }) => row.original.tenant },
  {
    id: 'action',
    header: t`Action`,
    meta: { takesRest: true, card: { order: 2 } },
    cell: ({ row }) => auditActionWords(row.original.action),
  },
  { id: 'entity', header: t`Entity`, meta: { card: { order: 3 } }, cell: ({ row }) => <Entity entry={row.original} /> },
  {
    id: 'patient',
    header: t`Patient`,
    meta: { card: { order: 4 } },
    cell: ({ row }) => <Patient patient={row.original.patient} />,
  },
  {
    id: 'outcome',
    header: t`Outcome`,
    meta: { card: { isCorner: true } },
    cell: ({ row: { original } }) => (
      <span className={styles.outcome} data-outcome={original.outcome}>
        {original.outcome === 'SUCCESS' ? t`Success` : t`Failure`}
      </span>
    ),
  },
  {
    id: 'ip',
    header: t`IP`,
    meta: { card: { label: 'IP', order: 6 } },
    cell: ({ row }) => <span className="mono">{row.original.ip || '–'}</span>,
  },
];

const two = (number: number) => String(number).padStart(2, '0');

/** Formats a time in the user's time zone. Includes seconds, which show the order within a minute. */
export const timeOf = (iso: string): string => {
  const time = new Date(iso);
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
};

function Entity({ entry: { entity, study } }: { entry: AuditEntry }) {
  return (
    <>
      {entity.replaceAll('_', ' ')} {study && <StudyName study={study} />}
    </>
  );
}

function Patient({ patient }: { patient: AuditSubject | null }) {
  return patient && <PatientName patient={patient} />;
}

/** Shows the name of a study, as a link if the caller may see the study. */
export function StudyName({ study }: { study: AuditSubject }) {
  if (study.state === 'DELETED') return <span className="muted">{t`deleted`}</span>;
  if (study.state === 'HIDDEN') return null;
  return (
    <Link to="/studies/$id" params={{ id: study.id }}>
      {study.name}
    </Link>
  );
}

/** Shows the name of a patient, as a link if the caller may see the patient. */
export function PatientName({ patient }: { patient: AuditSubject }) {
  if (patient.state === 'DELETED') return <span className="muted">{t`deleted`}</span>;
  if (patient.state === 'HIDDEN') return <span className="muted">{t`hidden`}</span>;
  return (
    <Link to="/patients/$id" params={{ id: patient.id }}>
      {patient.name || t`No name`}
    </Link>
  );
}
