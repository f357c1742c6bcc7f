import { t } from '@lingui/core/macro';
import { auditActionWords } from '@radwork/contract/audit-actions';
import { studies } from '@radwork/contract/imaging/studies';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { formatMoment } from '#ui/formats/formats.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import styles from './study-audit.module.css';

/** Shows the latest audit entries of a study, with their users. */
export function StudyAudit({ studyId }: { studyId: string }) {
  const audit = useQuery(query(studies.audit, { params: { id: studyId }, query: {} }));
  return (
    <section className={styles.audit} aria-labelledby="study-audit">
      <header className={styles.head}>
        <h3 id="study-audit">{t`Audit`}</h3>
        {may({ can: 'audit.view' }) && (
          <Link to="/audit" search={{ studyId }}>
            {t`Show all`}
          </Link>
        )}
      </header>
      {audit.isPending && <Skeleton lines={3} label={t`Loading audit log`} />}
      {audit.isError && (
        <ErrorState failed={t`Error loading audit log`} error={audit.error} onRetry={() => void audit.refetch()} />
      )}
      {audit.data?.length === 0 && <p className="muted">{t`No audit entries for this study.`}</p>}
      <ol className={styles.entries}>
        {audit.data?.map(({ id, action, timestamp, username, outcome }) => (
          <li key={id} className={styles.entry}>
            <span>
              {auditActionWords(action)}
              {outcome === 'FAILURE' && <span className={styles.failed}> {t`(failed)`}</span>}
            </span>
            <span className={styles.who}>{username}</span>
            <time dateTime={timestamp}>{formatMoment(timestamp)}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}
