import { t } from '@lingui/core/macro';
import { fileLayersOf, hasFileLayers } from '#reading/viewer/images/header/file-layers.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import styles from './overlays.module.css';

/**
 * Warns that reformatted planes show only the pixels of the images, and none of the layers of their files. Saved
 * pictures include the warning.
 */
export function LayersLeftOut({ images }: { images: readonly Pick<SeriesImage, 'header'>[] }) {
  if (!images.some(({ header }) => hasFileLayers(header) || fileLayersOf(header).undrawnPlanes > 0)) return null;
  const words = t`Not drawn on planes: overlays, shutters or colors of the files`;
  return (
    <strong className={styles.caution} data-picture-fact={words}>
      {words}
    </strong>
  );
}
