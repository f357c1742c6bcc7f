import { type ShownImage, useShownImage, type View } from '#reading/viewer/engine/stack/shown-image.ts';
import { crossingLine } from '#reading/viewer/images/geometry/reference-line.ts';
import { type Pixel, pointAt, type Slice, sliceOf } from '#reading/viewer/images/geometry/slice.ts';
import styles from './reference-line.module.css';

type Props = { view: View; shownImage: ShownImage; of: View };

/** Line where the image plane of another pane cuts the image of this pane. Uses the images drawn at present. */
export function ReferenceLine({ view, shownImage, of }: Props) {
  const source = useShownImage(of);
  const [sourceSlice, ownSlice] = [source && sliceOf(source.image), sliceOf(shownImage.image)];
  const line = sourceSlice && ownSlice && crossingLine(sourceSlice, ownSlice);
  if (!line) return null;
  const [start, end] = line.map((pixel) => onScreen(view, ownSlice, pixel));
  if (!start || !end) return null;
  const ends = { x1: start[0], y1: start[1], x2: end[0], y2: end[1] };
  return (
    <svg className={styles.lines} aria-hidden data-testid="reference-line">
      <line {...ends} className={styles.edge} />
      <line {...ends} className={styles.line} />
    </svg>
  );
}

const onScreen = ({ viewport }: View, slice: Slice, pixel: Pixel) => {
  const [left, posterior, superior] = pointAt(slice, pixel);
  return viewport.worldToCanvas([left, posterior, superior]);
};
