import { t } from '@lingui/core/macro';
import type { DicomJson } from '#viewer/images/dicom-json.ts';
import { oddShapeOf } from '#viewer/images/pixel-shape.ts';
import styles from './overlays.module.css';

/** Warns of an image drawn with wrong proportions. Saved pictures include it. */
export function Distorted({ header }: { header: DicomJson }) {
  const shape = oddShapeOf(header);
  if (!shape) return null;
  const words = t`Distorted: a pixel is ${shape.tall} tall and ${shape.wide} wide, and is drawn square`;
  return (
    <strong className={styles.caution} data-picture-fact={words}>
      {words}
    </strong>
  );
}
