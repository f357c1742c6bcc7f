import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import { reportStatusLabels } from '@radwork/contract/reading/report-status';
import { studies } from '@radwork/contract/imaging/studies';
import type { PriorStudy, SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconFileText } from '@tabler/icons-react';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useAuditedQuery } from '#core/http/audited-query.ts';
import { formatLocal } from '#ui/formats/formats.ts';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { SeriesEntries } from '#reading/viewer/shell/series-strip.tsx';
import styles from './priors-strip.module.css';
import { isOfSamePatient } from './use-patient-priors.ts';

type Shared = {
  /** The current study. */
  study: StudyDetails;
  /** Series in the panes, and the series in the current pane. */
  shown: readonly string[];
  current: string | undefined;
  onChoose: (prior: StudyDetails, series: SeriesSummary, part?: 'documents') => void;
  /** Opens the report of a prior. Undefined without the permission. */
  onReport: ((priorId: string) => void) | undefined;
};

type Props = Shared & {
  list: UseQueryResult<PriorStudy[]>;
  /** IDs of the priors shown in a pane. */
  inPanes: readonly string[];
};

/** Lists other studies of the patient. Details of a study are fetched only when the user opens it. */
export function PriorsStrip({ list, inPanes, ...shared }: Props) {
  const [opened, setOpened] = useState<readonly string[]>([]);
  const toggle = (id: string) =>
    setOpened((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
  return (
    <section className={styles.priors} aria-label={t`Prior studies`}>
      <h2>
        {t`Priors`} <span>{list.data?.length ?? ''}</span>
      </h2>
      {list.isLoading && <Skeleton lines={2} label={t`Loading prior studies`} />}
      {list.isError && !list.data && (
        <ErrorState failed={t`Error loading prior studies`} error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.data?.length === 0 && <p className={styles.none}>{t`This patient has no other studies.`}</p>}
      {list.data?.map((prior) => (
        <Prior
          key={prior.id}
          {...shared}
          prior={prior}
          isOpen={opened.includes(prior.id) !== inPanes.includes(prior.id)}
          onToggle={() => toggle(prior.id)}
        />
      ))}
    </section>
  );
}

type PriorProps = Shared & { prior: PriorStudy; isOpen: boolean; onToggle: () => void };

function Prior({ prior, isOpen, onToggle, ...shared }: PriorProps) {
  const { onReport } = shared;
  const name = prior.description || prior.studyDescription || t`No description`;
  const day = formatLocal(prior.studyDate).slice(0, 'yyyy-MM-dd'.length) || t`No date`;
  const status = prior.report && reportStatusLabels[prior.report.status];
  const report = status ? t`Report: ${status}` : t`No report`;
  return (
    <div className={styles.prior} data-open={isOpen || undefined}>
      <div className={styles.head}>
        <button type="button" className={styles.name} aria-expanded={isOpen} onClick={onToggle}>
          <span className={styles.day}>
            {day} <ModalityTag modality={prior.modality} all={prior.modalities} />
          </span>
          <span className={styles.words}>{name}</span>
          {onReport && <span className={styles.report}>{report}</span>}
        </button>
        {onReport && prior.report && (
          <Tooltip label={t`Open report`}>
            <ActionIcon size={24} aria-label={t`Report of ${name}, ${day}`} onClick={() => onReport(prior.id)}>
              <IconFileText size={15} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {isOpen && <PriorSeries priorId={prior.id} {...shared} />}
    </div>
  );
}

function PriorSeries({ priorId, study, shown: shownSeries, current, onChoose }: Shared & { priorId: string }) {
  const { data, error, refetch } = useQuery(useAuditedQuery(studies.get, { params: { id: priorId } }));
  if (error && !data) {
    return <ErrorState failed={t`Error loading study details`} error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <Skeleton lines={3} label={t`Loading prior study`} />;
  if (!isOfSamePatient(study, data)) {
    return <Notice tone="danger">{t`This study belongs to another patient and is not shown.`}</Notice>;
  }
  if (data.series.length === 0) return <p className={styles.none}>{t`This study has no images.`}</p>;
  return (
    <SeriesEntries
      studyUid={data.studyInstanceUID}
      studyId={data.id}
      series={data.series}
      shown={shownSeries}
      current={current}
      onChoose={(series, part) => onChoose(data, series, part)}
      opensDocuments
    />
  );
}
