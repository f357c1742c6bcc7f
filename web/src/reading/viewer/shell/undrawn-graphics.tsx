import { t } from '@lingui/core/macro';
import type { DicomJson } from '#reading/viewer/images/header/dicom-json.ts';
import { hasOverlayPlanes } from '#reading/viewer/images/header/overlay-planes.ts';
import styles from './overlays.module.css';

const words = t`Not drawn: overlay planes of the file`;

/**
 * Warns of overlay planes that are not drawn, because one of them may mark the side. Saved pictures include the
 * warning.
 */
export function UndrawnGraphics({ header }: { header: DicomJson }) {
  if (!hasOverlayPlanes(header)) return null;
  return (
    <strong className={styles.caution} data-picture-fact={words}>
      {words}
    </strong>
  );
}
