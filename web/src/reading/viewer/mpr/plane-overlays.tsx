import { t } from '@lingui/core/macro';
import { EdgeLetters } from '#reading/viewer/shell/edge-letters.tsx';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { placeText } from '#reading/viewer/images/geometry/orientation.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { LayersLeftOut } from '#reading/viewer/shell/layers-left-out.tsx';
import styles from '#reading/viewer/shell/overlays.module.css';
import type { ShownPlane } from '#reading/viewer/volumes/shown-plane.ts';
import { PaddingInSlab } from '#reading/viewer/volumes/padding-in-slab.tsx';
import { slabText } from '#reading/viewer/volumes/slab.ts';

type Props = {
  name: string;
  color: string;
  series: SeriesSummary;
  images: readonly SeriesImage[];
  shownPlane: ShownPlane;
  crossing: Vector | undefined;
  /** Whether slices are still arriving, so that parts of the plane are hatched. */
  isLoading: boolean;
};

/** Text over a plane. Every value must belong to the plane that is drawn. */
export function PlaneOverlays({ name, color, series, images, shownPlane, crossing, isLoading }: Props) {
  const { edges } = shownPlane;
  const { seriesNumber } = series;
  const zoom = Math.round(shownPlane.magnification * 100);
  return (
    <div className={styles.overlays}>
      <div className={styles.topLeft}>
        <span style={{ color }}>{name}</span>
        <span>
          {seriesNumber !== null && t`Series ${seriesNumber}`} {series.seriesDescription}
        </span>
        <LayersLeftOut images={images} />
        {isLoading && <span className={styles.caution}>{t`Loading: hatched parts have not arrived`}</span>}
      </div>
      <div className={styles.topRight}>
        <span>{shownPlane.location}</span>
        <strong>{slabText(shownPlane.slab)}</strong>
        {shownPlane.slab.thickness > 0 && <span className={styles.caution}>{t`Values are from the middle plane`}</span>}
        <PaddingInSlab images={images} slab={shownPlane.slab} />
      </div>
      <div className={styles.bottomLeft}>
        <span>
          {shownPlane.window}
          {shownPlane.isInverted && `  ${t`inverted`}`}
        </span>
        <span>{t`Zoom ${zoom}%`}</span>
      </div>
      <div className={styles.bottomRight}>
        <span>{crossing && placeText(crossing)}</span>
      </div>
      <EdgeLetters edges={edges} />
    </div>
  );
}
