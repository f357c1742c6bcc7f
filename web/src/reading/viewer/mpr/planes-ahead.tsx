import { t } from '@lingui/core/macro';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useMemo } from 'react';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { colorOf, planeNames } from '#reading/viewer/volumes/plane-names.ts';
import { FirstPlane } from './first-plane.tsx';
import { firstPlaneOf } from './first-plane-view.ts';
import styles from './mpr-stage.module.css';

type Props = {
  study: StudyDetails;
  series: SeriesSummary;
  images: readonly SeriesImage[];
  isAsking?: boolean;
};

/** Stands in for the planes until the volume exists. The plane of the acquired images already shows the middle one. */
export function PlanesAhead({ study, series, images, isAsking = false }: Props) {
  const first = useMemo(() => firstPlaneOf(study, images), [study, images]);
  if (!first) return <p className={styles.waiting}>{t`Loading series…`}</p>;
  return (
    <div className={styles.stage} aria-busy>
      <div className={styles.panes}>
        {(['axial', 'sagittal', 'coronal'] as const).map((orientation) => (
          <section
            key={orientation}
            aria-label={planeNames[orientation]}
            className={styles.pane}
            data-current={orientation === 'axial'}
            style={{ color: colorOf[orientation] }}
          >
            {orientation === first.orientation ? (
              <FirstPlane first={first} series={series} images={images} isAsking={isAsking} />
            ) : (
              <Waiting />
            )}
          </section>
        ))}
        <div className={styles.pane}>
          <Waiting />
        </div>
      </div>
    </div>
  );
}

const Waiting = () => (
  <div className={styles.offer}>
    <span className={styles.waiting}>{t`Loading…`}</span>
  </div>
);
