import { t } from '@lingui/core/macro';
import type { DicomJson } from '#reading/viewer/images/header/dicom-json.ts';
import { oddShapeOf, shapeInRegions } from '#reading/viewer/images/geometry/pixel-shape.ts';
import styles from './overlays.module.css';

/** Warns that an image is drawn with wrong proportions. Saved pictures include the warning. */
export function DistortedWarning({ header }: { header: DicomJson }) {
  const shape = oddShapeOf(header) ?? shapeInRegions(header);
  if (!shape) return null;
  const { tall, wide } = shape;
  const words = t`Distorted: a pixel is ${tall} tall and ${wide} wide, but is drawn square`;
  return (
    <strong className={styles.caution} data-picture-fact={words}>
      {words}
    </strong>
  );
}
