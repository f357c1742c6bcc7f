import { t } from '@lingui/core/macro';
import { Switch } from '@mantine/core';
import { reports } from '@radwork/contract/reading/reports';
import { reportStatusLabels } from '@radwork/contract/reading/report-status';
import type { PriorStudy, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { Link } from '@tanstack/react-router';
import { may } from '#core/state/session.ts';
import { formatLocal } from '#ui/formats/formats.ts';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { StudyStatusPill } from '#ui/marks/study-status.tsx';
import styles from './prior-studies.module.css';
import { nameOfStudy } from '#imaging/studies/study-name.ts';
import { studyCommands } from '#imaging/studies/study-commands.ts';
import { useCommands } from '#ui/keyboard/commands.ts';
import { usePriors } from './use-priors.ts';

type Props = {
  study: StudyDetails;
  /** ID of the prior that is open next to the study. */
  shownId: string | undefined;
  onShow: (priorId: string) => void;
};

/**
 * Lists the other studies of the patient. A click opens the chosen study next to the current study; "View" opens it in
 * place of the current study.
 */
export function PriorStudies({ study, shownId, onShow }: Props) {
  const { priors, order, setOrder } = usePriors(study.id);
  const priorStudies = priors.data ?? [];
  const next = priorStudies.find(({ id }) => id !== shownId);
  useCommands([{ command: studyCommands.prior, run: next && (() => onShow(next.id)) }]);
  return (
    <section className={styles.section} aria-labelledby="prior-studies">
      <header className={styles.head}>
        <h2 id="prior-studies">
          {t`Prior studies`} {priorStudies.length > 0 && <span className={styles.count}>{priorStudies.length}</span>}
        </h2>
        {priorStudies.length > 1 && (
          <Switch
            size="xs"
            label={t`Most similar first`}
            checked={order === 'relevance'}
            onChange={(event) => setOrder(event.currentTarget.checked ? 'relevance' : 'date')}
          />
        )}
      </header>
      {priors.isPending && <Skeleton lines={3} label={t`Loading prior studies`} />}
      {priors.isError && (
        <ErrorState
          failed={t`Error loading prior studies`}
          error={priors.error}
          onRetry={() => void priors.refetch()}
        />
      )}
      {priors.data?.length === 0 && <p className="muted">{t`This patient has no other studies.`}</p>}
      <ul className={styles.priors}>
        {priorStudies.map((prior) => (
          <Prior key={prior.id} prior={prior} isShown={prior.id === shownId} onShow={() => onShow(prior.id)} />
        ))}
      </ul>
    </section>
  );
}

function Prior({ prior, isShown, onShow }: { prior: PriorStudy; isShown: boolean; onShow: () => void }) {
  const name = nameOfStudy(prior);
  const day = formatLocal(prior.studyDate).slice(0, 'yyyy-MM-dd'.length) || t`No date`;
  return (
    <li className={styles.prior} data-shown={isShown || undefined}>
      <button type="button" className={styles.open} aria-pressed={isShown} onClick={onShow}>
        <ModalityTag modality={prior.modality} all={prior.modalities} />
        <span className={styles.words}>
          <span className={styles.name}>{name}</span>
          <span className={styles.facts}>
            <span>{day}</span>
            {may(reports.ofStudy) && <span>{reportWords(prior)}</span>}
          </span>
          {prior.status === 'CANCELLED' && <StudyStatusPill status={prior.status} />}
        </span>
      </button>
      <Link className={styles.view} to="/studies/$id" params={{ id: prior.id }} aria-label={t`View ${name}, ${day}`}>
        {t`View`}
      </Link>
    </li>
  );
}

const reportWords = ({ report }: PriorStudy): string => {
  const status = report && reportStatusLabels[report.status];
  return status ? t`Report: ${status}` : t`No report`;
};
