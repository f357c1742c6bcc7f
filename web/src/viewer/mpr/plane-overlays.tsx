import { t } from '@lingui/core/macro';
import { EdgeLetters } from '#viewer/shell/edge-letters.tsx';
import type { SeriesSummary } from '@radwork/contract/studies';
import type { Vector } from '#viewer/images/image-plane.ts';
import { placeText } from '#viewer/images/orientation.ts';
import styles from '#viewer/shell/overlays.module.css';
import type { ShownPlane } from '#viewer/volumes/shown-plane.ts';
import { slabText } from '#viewer/volumes/slab.ts';

type Props = { name: string; color: string; series: SeriesSummary; shown: ShownPlane; crossing: Vector | undefined };

/** Text on a plane. It must describe only the plane as drawn. */
export function PlaneOverlays({ name, color, series, shown, crossing }: Props) {
  const { edges } = shown;
  const { seriesNumber } = series;
  const zoom = Math.round(shown.magnification * 100);
  return (
    <div className={styles.overlays}>
      <div className={styles.topLeft}>
        <span style={{ color }}>{name}</span>
        <span>
          {seriesNumber !== null && t`Series ${seriesNumber}`} {series.seriesDescription}
        </span>
      </div>
      <div className={styles.topRight}>
        <span>{shown.location}</span>
        <strong>{slabText(shown.slab)}</strong>
        {shown.slab.thickness > 0 && <span className={styles.caution}>{t`Values are from the middle plane`}</span>}
      </div>
      <div className={styles.bottomLeft}>
        <span>
          {shown.window}
          {shown.isInverted && `  ${t`inverted`}`}
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
