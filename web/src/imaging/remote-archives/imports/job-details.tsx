import { t } from '@lingui/core/macro';
import type { ImportJob } from '@radwork/contract/imaging/import-jobs';
import { formatMoment } from '#ui/formats/formats.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import styles from '#imaging/remote-archives/remote-archives.module.css';
import { useImportJob } from './use-imports.ts';

/** Shows the times of a job, and each failed instance with its reason. */
export function JobDetails({ job }: { job: ImportJob }) {
  const { data, error, isPending, refetch } = useImportJob(job.id);
  if (isPending) return <Skeleton lines={2} />;
  if (error) return <ErrorState failed={t`Failed to load the job`} error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <dl className={styles.facts}>
        <dt>{t`Study Instance UID`}</dt>
        <dd className="mono">{job.studyInstanceUID}</dd>
        <dt>{t`Requested by`}</dt>
        <dd>{job.requestedBy}</dd>
        <dt>{t`Started`}</dt>
        <dd>{formatMoment(job.startedDate) || t`Not yet`}</dd>
        <dt>{t`Ended`}</dt>
        <dd>{formatMoment(job.finishedDate) || t`Not yet`}</dd>
        <dt>{t`Attempts`}</dt>
        <dd>{job.attempts}</dd>
        {job.cause && (
          <>
            <dt>{t`Cause`}</dt>
            <dd>{job.cause}</dd>
          </>
        )}
      </dl>
      {data.failures.length > 0 && (
        <ul className={styles.failures} tabIndex={0} aria-label={t`Images not received`}>
          {data.failures.map(({ sopInstanceUID, reason }) => (
            <li key={sopInstanceUID}>
              <span className="mono">{sopInstanceUID}</span> {reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
