import type { DicomJson } from '#viewer/images/dicom-json.ts';
import { hasOverlayPlanes } from '#viewer/images/overlay-planes.ts';
import styles from './overlays.module.css';

const words = 'Not drawn: graphics of the file (overlay planes)';

/** Says of an image with overlay planes that they are not there, also where it is taken away: the side may be marked in one of them. */
export function UndrawnGraphics({ header }: { header: DicomJson }) {
  if (!hasOverlayPlanes(header)) return null;
  return (
    <strong className={styles.caution} data-picture-fact={words}>
      {words}
    </strong>
  );
}
