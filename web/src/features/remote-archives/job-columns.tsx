import { Button } from '@mantine/core';
import { type ImportJob, isActive, isRetryable } from '@radwork/contract/import-jobs';
import { Link } from '@tanstack/react-router';
import type { Column } from '#ui/data-table.tsx';
import { formatMoment } from '#ui/formats.ts';
import { ImportProgress, ImportStatePill } from './import-state.tsx';
import styles from './remote-archives.module.css';
import type { JobActions } from './use-job-actions.tsx';

/** The columns of the import jobs. */
export const jobColumns = ({ retry, cancel }: JobActions): Column<ImportJob>[] => [
  {
    id: 'patientName',
    header: 'Patient Name',
    meta: { isRowName: true },
    cell: ({ row: { original } }) => <JobName job={original} />,
  },
  { id: 'state', header: 'State', cell: ({ row }) => <ImportStatePill state={row.original.state} /> },
  { id: 'progress', header: 'Received', cell: ({ row }) => <ImportProgress job={row.original} /> },
  {
    id: 'cause',
    header: 'Cause',
    meta: { takesRest: true, card: { order: 1 } },
    cell: ({ row }) => <span title={row.original.cause}>{row.original.cause}</span>,
  },
  {
    id: 'remote',
    header: 'From',
    meta: { card: { label: 'From', order: 2 } },
    cell: ({ row }) => row.original.remoteName,
  },
  {
    id: 'requested',
    header: 'Requested',
    meta: { card: { label: 'Requested', order: 3 } },
    cell: ({ row: { original } }) => (
      <span title={`By ${original.requestedBy}`}>{formatMoment(original.createdDate)}</span>
    ),
  },
  {
    id: 'actions',
    header: 'Actions',
    meta: { isTitleHidden: true, card: { order: 4 } },
    cell: ({ row: { original } }) => (
      <span className={styles.importCell}>
        {isRetryable(original.state) && (
          <Button size="compact-xs" variant="default" onClick={() => retry(original)}>
            Retry
          </Button>
        )}
        {isActive(original.state) && (
          <Button size="compact-xs" variant="default" onClick={() => void cancel(original)}>
            Cancel
          </Button>
        )}
      </span>
    ),
  },
];

function JobName({ job: { studyId, patientName, studyDescription } }: { job: ImportJob }) {
  const name = patientName || 'No name';
  return (
    <span className={styles.patient}>
      {studyId ? (
        <Link className={styles.patientName} to="/studies/$id" params={{ id: studyId }}>
          {name}
        </Link>
      ) : (
        <span className={styles.patientName}>{name}</span>
      )}
      <span className={styles.identity}>{studyDescription}</span>
    </span>
  );
}
