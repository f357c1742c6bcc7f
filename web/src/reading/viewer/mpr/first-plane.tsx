import { t } from '@lingui/core/macro';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { edgesOfPlane, sliceLocation } from '#reading/viewer/images/geometry/orientation.ts';
import { windowText } from '#reading/viewer/images/gray/gray-window.ts';
import { numberOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { EdgeLetters } from '#reading/viewer/shell/edge-letters.tsx';
import { FirstCanvas } from '#reading/viewer/shell/first-canvas.tsx';
import { LayersLeftOut } from '#reading/viewer/shell/layers-left-out.tsx';
import styles from '#reading/viewer/shell/overlays.module.css';
import { colorOf, planeNames } from '#reading/viewer/volumes/plane-names.ts';
import type { FirstPlaneView } from './first-plane-view.ts';

type Props = {
  first: FirstPlaneView;
  series: SeriesSummary;
  images: readonly SeriesImage[];
  /** Whether to fetch the frame. If false, draws the frame only if it is already fetched. */
  isAsking?: boolean;
};

/** First plane of MPR, drawn without the imaging library, with the text that the library's plane will have. */
export function FirstPlane({ first, series, images, isAsking = false }: Props) {
  const { orientation, image, plane, range } = first;
  const { seriesNumber } = series;
  const hasFractions = !Number.isInteger(numberOf(image.header, tag.RescaleSlope) ?? 1);
  return (
    <FirstCanvas image={image} range={range} isAsking={isAsking}>
      {(magnification) => {
        const zoom = Math.round(magnification * 100);
        return (
          <div className={styles.overlays}>
            <div className={styles.topLeft}>
              <span style={{ color: colorOf[orientation] }}>{planeNames[orientation]}</span>
              <span>
                {seriesNumber !== null && t`Series ${seriesNumber}`} {series.seriesDescription}
              </span>
              <LayersLeftOut images={images} />
            </div>
            <div className={styles.topRight}>
              <span>{sliceLocation(plane)}</span>
            </div>
            <div className={styles.bottomLeft}>
              <span>{windowText(range, false, hasFractions)}</span>
              <span>{t`Zoom ${zoom}%`}</span>
            </div>
            <EdgeLetters edges={edgesOfPlane(plane.along, plane.down)} />
          </div>
        );
      }}
    </FirstCanvas>
  );
}
