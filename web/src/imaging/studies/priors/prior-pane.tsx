import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconChevronDown, IconChevronUp, IconEye, IconFolderOff, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '#core/http/api.ts';
import { useAuditedQuery } from '#core/http/audited-query.ts';
import { formatAge, formatLocal } from '#ui/formats/formats.ts';
import { OutdatedItem } from '#ui/lists/list-notice.tsx';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { StudyStatusPill } from '#ui/marks/study-status.tsx';
import styles from './prior-pane.module.css';
import { viewerPath } from '#imaging/studies/study-actions.tsx';
import { StudyFacts } from '#imaging/studies/metadata/study-facts.tsx';
import { nameOfStudy } from '#imaging/studies/study-name.ts';
import { usePriors } from './use-priors.ts';

type Props = {
  /** The study that the user is reading. */
  study: StudyDetails;
  priorId: string;
  onShow: (priorId: string) => void;
  onClose: () => void;
  /** The report of the prior, read-only. */
  report: ReactNode;
};

/**
 * Shows a prior next to the study that the user is reading. The pane stays open when the user moves to another prior.
 */
export function PriorPane({ study, priorId, onShow, onClose, report }: Props) {
  const { priors } = usePriors(study.id);
  const ids = priors.data?.map(({ id }) => id) ?? [];
  const place = ids.indexOf(priorId);
  const [position, total] = [place + 1, ids.length];
  const step = (to: number, label: string, Icon: typeof IconChevronUp) => {
    const id = place === -1 ? undefined : ids[place + to];
    // Uses `aria-disabled`, because a `disabled` button would lose the focus at the end of the list.
    return (
      <Tooltip label={label}>
        <ActionIcon
          size={28}
          aria-label={label}
          aria-disabled={!id}
          className={id ? '' : (styles.refused ?? '')}
          onClick={() => id && onShow(id)}
        >
          <Icon size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    );
  };
  return (
    <>
      <header className={styles.head}>
        <h2>{t`Prior study`}</h2>
        {place !== -1 && <span className={styles.place}>{t`${position} of ${total}`}</span>}
        <div className={styles.actions}>
          {step(-1, t`Previous prior in list`, IconChevronUp)}
          {step(1, t`Next prior in list`, IconChevronDown)}
          <Tooltip label={t`Close prior`}>
            <ActionIcon size={28} aria-label={t`Close prior`} onClick={onClose}>
              <IconX size={17} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        </div>
      </header>
      {/* Remounts for each prior, so that data of one prior never appears under the name of another prior. */}
      <Prior key={priorId} study={study} priorId={priorId} report={report} />
    </>
  );
}

function Prior({ study, priorId, report }: Pick<Props, 'study' | 'priorId' | 'report'>) {
  const prior = useQuery(useAuditedQuery(studies.get, { params: { id: priorId } }));
  if (prior.isPending) return <Skeleton lines={8} label={t`Loading prior study`} />;
  if (!prior.data) {
    return prior.error instanceof ApiError && prior.error.status === 404 ? (
      <EmptyState
        icon={IconFolderOff}
        title={t`Study not found`}
        detail={t`It was deleted, or you do not have access to it.`}
      />
    ) : (
      <ErrorState failed={t`Error loading study details`} error={prior.error} onRetry={() => void prior.refetch()} />
    );
  }
  // Checks that both studies have the same patient, because the URL can name any two studies.
  if (prior.data.patient.id !== study.patient.id) {
    return (
      <div className={styles.body}>
        <Notice tone="danger">{t`This study belongs to another patient and cannot be shown here.`}</Notice>
      </div>
    );
  }
  return (
    <div className={styles.body}>
      <OutdatedItem result={prior} failed={t`Error loading study details`} />
      <PriorFacts study={study} prior={prior.data} />
      {report}
    </div>
  );
}

function PriorFacts({ study, prior }: { study: StudyDetails; prior: StudyDetails }) {
  const { id, modality, modalities, status } = prior;
  return (
    <section className={styles.facts} aria-label={t`Prior study`}>
      <h3 className={styles.title}>
        <ModalityTag modality={modality} all={modalities} />
        {nameOfStudy(prior)}
        {status === 'CANCELLED' && <StudyStatusPill status={status} />}
      </h3>
      <p className={styles.when}>
        {formatLocal(prior.studyDate) || t`No date`}
        <span>{distanceOf(prior, study)}</span>
      </p>
      <StudyFacts
        title={t`About`}
        facts={[
          { label: t`Accession number`, value: prior.accessionNumber },
          { label: t`Referred by`, value: prior.referringPhysicianName },
          { label: t`Equipment`, value: [prior.equipment.manufacturer, prior.equipment.model].join(' ').trim() },
          { label: t`Series / images`, value: `${prior.seriesCount} / ${prior.instanceCount}` },
          { label: t`Clinical history`, value: prior.clinicalHistory },
        ]}
      />
      <div className={styles.ways}>
        <Button
          variant="default"
          leftSection={<IconEye size={15} aria-hidden />}
          renderRoot={(props) => <Link to={viewerPath(prior)} params={{ id }} {...props} />}
        >
          {t`Open in viewer`}
        </Button>
        <Button variant="default" renderRoot={(props) => <Link to="/studies/$id" params={{ id }} {...props} />}>
          {t`View`}
        </Button>
      </div>
    </section>
  );
}

/** Returns the time between prior and study, such as "2y earlier". Empty if unknown or less than a month. */
const distanceOf = (prior: StudyDetails, study: StudyDetails): string => {
  if (!prior.studyDate || !study.studyDate) return '';
  const isEarlier = prior.studyDate <= study.studyDate;
  const [from, to] = isEarlier ? [prior.studyDate, study.studyDate] : [study.studyDate, prior.studyDate];
  const time = formatAge(from, to);
  if (time === '0m') return '';
  return isEarlier ? t`${time} earlier` : t`${time} later`;
};
