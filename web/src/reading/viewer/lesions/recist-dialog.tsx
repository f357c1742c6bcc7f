import { t } from '@lingui/core/macro';
import { percentText, readingText, recistOf, sumText } from '@radwork/contract/reading/lesion-text';
import { type Lesion, type LesionsOfStudy } from '@radwork/contract/reading/lesions';
import { lesionKindLabels } from '@radwork/contract/reading/lesion-states';
import { recistResponseLabels, type RecistTimepoint } from '@radwork/contract/reading/recist';
import { useState } from 'react';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { LesionDialog } from './lesion-dialog.tsx';
import styles from './lesion-panel.module.css';

type Props = { studyId: string; found: LesionsOfStudy; onClose: () => void };

/** Shows the RECIST 1.1 table of the lesions of a patient, with what is missing. */
export function RecistDialog({ studyId, found, onClose }: Props) {
  return (
    <Dialog opened onClose={onClose} title={t`RECIST 1.1`} size={900}>
      <RecistContent studyId={studyId} found={found} />
    </Dialog>
  );
}

function RecistContent({ studyId, found }: Omit<Props, 'onClose'>) {
  const { days, timepoints, problems } = recistOf(found);
  const listed = found.lesions.filter(({ kind }) => kind !== 'FOLLOWED');
  const [baselineDay] = days;
  const missing = [...problems, ...timepoints.flatMap((timepoint) => timepoint.missing)];
  return (
    <>
      {missing.length > 0 && (
        <Notice tone="warning">
          <ul className={styles.missing} aria-label={t`Missing`}>
            {missing.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Notice>
      )}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={t`RECIST table`}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t`Lesion`}</th>
              {days.map((day, at) => (
                <th key={found.timepoints[at]?.studyId} scope="col">
                  {day}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listed.map((lesion) => (
              <LesionRow key={lesion.id} lesion={lesion} found={found} studyId={studyId} />
            ))}
            <FigureRow label={t`Sum of target lesions`} timepoints={timepoints} text={({ sumMm }) => sumText(sumMm)} />
            <FigureRow
              label={t`From baseline`}
              timepoints={timepoints}
              text={({ fromBaselinePercent }) => percentText(fromBaselinePercent)}
            />
            <FigureRow
              label={t`From smallest sum`}
              timepoints={timepoints}
              text={({ fromNadirPercent }) => percentText(fromNadirPercent)}
            />
            <FigureRow
              label={t`Target lesions`}
              timepoints={timepoints}
              text={({ target }) => recistResponseLabels[target]}
            />
            <FigureRow
              label={t`Non-target lesions`}
              timepoints={timepoints}
              text={({ nonTarget }) => recistResponseLabels[nonTarget]}
            />
            <FigureRow
              label={t`New lesions`}
              timepoints={timepoints}
              text={({ hasNewLesion }) => (hasNewLesion ? t`Yes` : t`No`)}
            />
            <FigureRow
              label={t`Overall response`}
              timepoints={timepoints}
              text={({ overall }) => recistResponseLabels[overall]}
            />
          </tbody>
        </table>
      </div>
      {baselineDay !== undefined && (
        <p className={styles.note}>{t`Baseline: the first study that you may see, ${baselineDay}`}</p>
      )}
      <p className={styles.note}>
        {t`Eisenhauer et al., Eur J Cancer 2009;45:228–247. Tumor markers are not included. Insert the table with the tool “Insert RECIST table” of the report.`}
      </p>
    </>
  );
}

type FigureProps = { label: string; timepoints: RecistTimepoint[]; text: (timepoint: RecistTimepoint) => string };

function FigureRow({ label, timepoints, text }: FigureProps) {
  return (
    <tr>
      <th scope="row">{label}</th>
      {timepoints.map((timepoint, at) => (
        // The studies have a fixed order.
        // oxlint-disable-next-line react/no-array-index-key
        <td key={at}>{text(timepoint)}</td>
      ))}
    </tr>
  );
}

function LesionRow({ lesion, found, studyId }: { lesion: Lesion; found: LesionsOfStudy; studyId: string }) {
  const [isOpen, setOpen] = useState(false);
  const name = [lesion.label, lesion.organ].filter(Boolean).join(', ') || t`Lesion`;
  return (
    <tr>
      <th scope="row">
        <button type="button" className={styles.place} aria-label={t`Edit ${name}`} onClick={() => setOpen(true)}>
          <span>{name}</span>
          <span className={styles.note}>{lesionKindLabels[lesion.kind]}</span>
        </button>
        {isOpen && <LesionDialog studyId={studyId} lesion={lesion} free={[]} onClose={() => setOpen(false)} />}
      </th>
      {found.timepoints.map((timepoint) => (
        <td key={timepoint.studyId}>
          {readingText(lesion.readings.find((reading) => reading.studyId === timepoint.studyId))}
        </td>
      ))}
    </tr>
  );
}
