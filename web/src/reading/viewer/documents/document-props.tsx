import { t } from '@lingui/core/macro';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { ReactNode } from 'react';
import { Skeleton } from '#ui/feedback/content-states.tsx';
import type { SeriesDocument } from '#reading/viewer/images/series/series-documents.ts';
import type { ImagePlace } from '#reading/viewer/standard/hanging/use-go-to-image.ts';
import styles from './document-pane.module.css';

export type DocumentProps = {
  study: StudyDetails;
  series: SeriesSummary;
  document: SeriesDocument;
  /** Control that selects another document of the series; empty if there is only one. */
  choice: ReactNode;
  /** Opens an image or another document of the study. */
  onGoTo: (place: ImagePlace) => void;
};

export const Waiting = () => (
  <div className={styles.waiting}>
    <Skeleton lines={8} label={t`Loading document`} />
  </div>
);
