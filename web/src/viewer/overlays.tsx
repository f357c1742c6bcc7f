import type { SeriesSummary } from '@radwork/contract/studies';
import { tag, textOf } from './dicom-json.ts';
import styles from './overlays.module.css';
import type { ShownImage } from './shown-image.ts';

type Props = {
  series: SeriesSummary;
  count: number;
  shown: ShownImage;
  /** The patient's number as the archive knows it. */
  patientId: string;
};

/** What is written on a picture: only what is true of the picture that is drawn. */
export function Overlays({ series, count, shown, patientId }: Props) {
  const { image, index, edges } = shown;
  const writtenId = textOf(image.header, tag.PatientID);
  return (
    <div className={styles.overlays}>
      <div className={styles.topLeft}>
        <span>
          {series.seriesNumber !== null && `Series ${series.seriesNumber}`} {series.seriesDescription}
        </span>
        <span className={styles.modality}>{series.modality}</span>
        {writtenId !== '' && writtenId !== patientId && (
          <strong className={styles.mismatch}>The image itself names patient {writtenId}</strong>
        )}
      </div>
      <div className={styles.topRight}>
        <span>{shown.location}</span>
        <span>{shown.thickness}</span>
      </div>
      <div className={styles.bottomLeft}>
        <span>
          {shown.window}
          {shown.isInverted && '  inverted'}
        </span>
        <span>Zoom {Math.round(shown.magnification * 100)} %</span>
      </div>
      <div className={styles.bottomRight}>
        <span data-testid="image-number">
          {index + 1} / {count}
        </span>
        {image.numberOfFrames > 1 && count > image.numberOfFrames && <span>Frame {image.frame}</span>}
      </div>
      {edges && (
        <>
          <span className={styles.left}>{edges.left}</span>
          <span className={styles.right}>{edges.right}</span>
          <span className={styles.top}>{edges.top}</span>
          <span className={styles.bottom}>{edges.bottom}</span>
        </>
      )}
    </div>
  );
}
