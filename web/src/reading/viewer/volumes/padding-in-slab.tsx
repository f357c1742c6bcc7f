import { t } from '@lingui/core/macro';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import styles from '#reading/viewer/shell/overlays.module.css';
import { countsPadding, hasHighPadding } from './padded-slab.ts';
import type { Slab } from './slab.ts';

type Images = readonly Pick<SeriesImage, 'header'>[];

const Caution = ({ words }: { words: string }) => (
  <span className={styles.caution} data-picture-fact={words}>
    {words}
  </span>
);

/** Warns that padding counts in a slab, because the images differ in it. Saved pictures include the warning. */
export function PaddingInSlab({ images, slab }: { images: Images; slab: Slab }) {
  return countsPadding(images, slab) ? <Caution words={t`Padding of the images counts in this slab`} /> : null;
}

/** Warns that padding is drawn in a volume rendering. Low padding is transparent there. */
export function PaddingInRendering({ images }: { images: Images }) {
  return hasHighPadding(images) ? <Caution words={t`Padding of the images is drawn in this rendering`} /> : null;
}
