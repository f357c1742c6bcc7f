import { t } from '@lingui/core/macro';
import { type FollowUp, followUps } from '@radwork/contract/reading/follow-ups';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { ErrorState } from '#ui/feedback/content-states.tsx';
import { FollowUpLine } from './follow-up-notice.tsx';
import { relatedStudyName } from './follow-up-words.ts';
import styles from './follow-ups.module.css';

/** Lists the follow-ups of other studies of the patient that wait, or that this study closed. Nothing without any. */
export function StudyFollowUps({ studyId }: { studyId: string }) {
  const rows = useQuery({
    ...query(followUps.ofStudy, { params: { id: studyId } }),
    enabled: may(followUps.ofStudy),
  });
  if (rows.isError && !rows.data) {
    return <ErrorState failed={t`Failed to load follow-ups`} error={rows.error} onRetry={() => void rows.refetch()} />;
  }
  const { ofPatient = [] } = rows.data ?? {};
  if (ofPatient.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="study-follow-ups">
      <h2 id="study-follow-ups">{t`Recommended before`}</h2>
      <ul className={styles.lines}>
        {ofPatient.map((row) => (
          <li key={row.id}>
            <FollowUpLine row={row} />
            <Link to="/studies/$id" params={{ id: row.studyId }}>
              {relatedStudyName(originOf(row))}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const originOf = ({ studyId, studyModality, studyDescription, studyDate }: FollowUp) => ({
  id: studyId,
  modality: studyModality,
  description: studyDescription,
  studyDate,
});
