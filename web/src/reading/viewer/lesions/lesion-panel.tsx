import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { changeText, diameterText, followedMm, readingsAround } from '@radwork/contract/reading/lesion-text';
import {
  type Lesion,
  lesions,
  type LesionsOfStudy,
  lesionTools,
  type PriorMeasurement,
} from '@radwork/contract/reading/lesions';
import { type Measurement, measurementToolLabels } from '@radwork/contract/reading/measurements';
import { summaryOf } from '@radwork/contract/reading/measurement-text';
import { IconTarget } from '@tabler/icons-react';
import { useState } from 'react';
import { may } from '#core/state/session.ts';
import { ErrorState } from '#ui/feedback/content-states.tsx';
import { dialogOnDemand, usePrefetchWhenIdle } from '#ui/feedback/on-demand.tsx';
import styles from './lesion-panel.module.css';
import { useLesions } from './use-lesions.ts';
import type { useRepeatMeasurement } from './use-repeat-measurement.ts';

const LesionDialog = dialogOnDemand(async () => (await import('./lesion-dialog.tsx')).LesionDialog);

const RecistDialog = dialogOnDemand(async () => (await import('./recist-dialog.tsx')).RecistDialog);

type Props = {
  studyId: string;
  measured: readonly Measurement[] | undefined;
  repeating: ReturnType<typeof useRepeatMeasurement>;
};

/** Lists the lesions of priors to measure again, and the lesions of this study with their change. */
export function LesionPanel({ studyId, measured, repeating }: Props) {
  const found = useLesions(studyId);
  const [opened, setOpened] = useState<'recist' | 'add'>();
  usePrefetchWhenIdle(LesionDialog, RecistDialog);
  if (!may(lesions.ofStudy)) return null;
  if (found.isError && !found.data) {
    return (
      <ErrorState failed={t`Lesions could not be loaded`} error={found.error} onRetry={() => void found.refetch()} />
    );
  }
  if (!found.data) return null;
  const linkedIds = new Set(found.data.lesions.flatMap(({ readings }) => readings.map((one) => one.measurementId)));
  const free = measured?.filter(({ id, tool }) => lesionTools.includes(tool) && !linkedIds.has(id)) ?? [];
  return (
    <>
      <PriorLesions found={found.data} repeating={repeating} />
      <section className={styles.section} aria-labelledby="viewer-lesions">
        <h2 id="viewer-lesions">{t`Lesions`}</h2>
        <ul className={styles.list}>
          {found.data.lesions.map((lesion) => (
            <FollowedLesion key={lesion.id} lesion={lesion} found={found.data} studyId={studyId} />
          ))}
        </ul>
        <div className={styles.buttons}>
          <Button size="compact-xs" variant="default" onClick={() => setOpened('add')}>
            {t`Add lesion`}
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconTarget size={14} aria-hidden />}
            disabled={found.data.lesions.length === 0}
            onClick={() => setOpened('recist')}
          >
            {t`RECIST table`}
          </Button>
        </div>
      </section>
      {opened === 'add' && <LesionDialog studyId={studyId} free={free} onClose={() => setOpened(undefined)} />}
      {opened === 'recist' && (
        <RecistDialog studyId={studyId} found={found.data} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}

function PriorLesions({ found, repeating }: { found: LesionsOfStudy; repeating: Props['repeating'] }) {
  if (found.priors.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="prior-lesions">
      <h2 id="prior-lesions">{t`Lesions of the prior`}</h2>
      <p className={styles.note} role="status">
        {repeating.pending && `${t`Draw the measurement again.`} ${repeating.note}`}
      </p>
      <ul className={styles.list}>
        {found.priors.map((prior) => (
          <li key={prior.id} className={styles.entry}>
            <button
              type="button"
              className={styles.place}
              aria-pressed={repeating.pending?.id === prior.id}
              onClick={() => (repeating.pending?.id === prior.id ? repeating.cancel() : void repeating.repeat(prior))}
            >
              <span>{prior.label || measurementToolLabels[prior.tool]}</span>
              <span className={styles.value}>{summaryOf(prior.values)}</span>
              <span className={styles.note}>{originOf(prior)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Returns the day and the name of the study of a measurement, and its author. */
const originOf = ({ study, author }: PriorMeasurement): string =>
  [study.studyDate?.slice(0, 10), study.description, author.name].filter(Boolean).join(' · ');

function FollowedLesion({ lesion, found, studyId }: { lesion: Lesion; found: LesionsOfStudy; studyId: string }) {
  const [isOpen, setOpen] = useState(false);
  const { before, now } = readingsAround(lesion, found.timepoints, studyId);
  const change = changeText(followedMm(lesion.isNode, before), followedMm(lesion.isNode, now));
  const name = lesion.label || lesion.organ || t`Lesion`;
  return (
    <li className={styles.entry}>
      <button type="button" className={styles.place} aria-label={t`Edit ${name}`} onClick={() => setOpen(true)}>
        <span>{[name, lesion.label && lesion.organ].filter(Boolean).join(', ')}</span>
        <span className={styles.value}>{now ? diameterText(now) || t`No length in mm` : t`Not measured here`}</span>
        {change && <span className={styles.note}>{change}</span>}
      </button>
      {isOpen && <LesionDialog studyId={studyId} lesion={lesion} free={[]} onClose={() => setOpen(false)} />}
    </li>
  );
}
