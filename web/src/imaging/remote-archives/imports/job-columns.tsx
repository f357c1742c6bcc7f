import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type ImportJob, isActive, isRetryable } from '@radwork/contract/imaging/import-jobs';
import { Link } from '@tanstack/react-router';
import type { Column } from '#ui/tables/data-table.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { ImportProgress, ImportStatePill } from './import-state.tsx';
import styles from '#imaging/remote-archives/remote-archives.module.css';
import type { JobActions } from './use-job-actions.tsx';

export const jobColumns = (actions: JobActions): Column<ImportJob>[] => [
  {
    id: 'patientName',
    header: t`Patient name`,
    meta: { isRowName: true },
    cell: ({ row }) => <JobName job={row.original} />,
  },
  { id: 'state', header: t`State`, cell: ({ row }) => <ImportStatePill state={row.original.state} /> },
  {
    id: 'progress',
    header: t`Received`,
    cell: ({ row }) => (
      <span className={styles.progressCell}>
        <ImportProgress job={row.original} />
      </span>
    ),
  },
  {
    id: 'cause',
    header: t`Cause`,
    meta: { takesRest: true, card: { order: 1 } },
    cell: ({ row: { original } }) =>
      original.cause && (
        <span className={styles.cause} title={original.cause}>
          {original.cause}
        </span>
      ),
  },
  {
    id: 'remote',
    header: t`From`,
    meta: { card: { label: t`From`, order: 2 } },
    cell: ({ row }) => row.original.remoteName,
  },
  {
    id: 'requested',
    header: t`Requested`,
    meta: { card: { label: t`Requested`, order: 3 } },
    cell: ({
      row: {
        original: { requestedBy, createdDate },
      },
    }) => <span title={t`By ${requestedBy}`}>{formatMoment(createdDate)}</span>,
  },
  {
    id: 'actions',
    header: t`Actions`,
    meta: { isTitleHidden: true, card: { order: 4 } },
    cell: ({ row }) => <Actions job={row.original} actions={actions} />,
  },
];

const jobLabel = ({ patientName, studyDescription }: ImportJob): string =>
  [patientName || t`No name`, studyDescription].filter(Boolean).join(', ');

function JobName({ job: { studyId, patientName, studyDescription } }: { job: ImportJob }) {
  const name = patientName || t`No name`;
  return (
    <span className={styles.patient}>
      {studyId ? (
        <Link
          className={styles.patientName}
          to="/studies/$id"
          params={{ id: studyId }}
          preload="intent"
          title={patientName}
        >
          {name}
        </Link>
      ) : (
        <span className={styles.patientName} title={patientName}>
          {name}
        </span>
      )}
      <span className={styles.described} title={studyDescription}>
        {studyDescription}
      </span>
    </span>
  );
}

/** Actions on a job: a link to the study, and at most one action that its state allows. */
function Actions({ job, actions: { retry, cancel } }: { job: ImportJob; actions: JobActions }) {
  const { state, studyId } = job;
  const name = jobLabel(job);
  return (
    <span className={styles.importCell}>
      {studyId && (
        <Link className={styles.open} to="/studies/$id" params={{ id: studyId }} aria-label={t`Open ${name}`}>
          {t`Open`}
        </Link>
      )}
      {isRetryable(state) && (
        <Button size="compact-xs" variant="default" aria-label={t`Retry ${name}`} onClick={() => retry(job)}>
          {t`Retry`}
        </Button>
      )}
      {isActive(state) && (
        <Button size="compact-xs" variant="default" aria-label={t`Cancel ${name}`} onClick={() => void cancel(job)}>
          {t`Cancel`}
        </Button>
      )}
    </span>
  );
}
