import type { AnnotationPoint, Graphic } from './annotations.ts';
import type { ToScreen } from './apply-state.ts';
import { outlineOf } from './outlines.ts';
import styles from './presentation-layer.module.css';
import type { PixelPoint } from './image-references.ts';

type Props = { graphic: Graphic; place: (point: AnnotationPoint) => PixelPoint; toScreen: ToScreen };

/** Half a cross that marks a point, in screen pixels: points have no size of their own. */
const arm = 6;

/** A line or a shape of a state, over a darker one, so that it is seen on white too. */
export function GraphicMark({ graphic, place, toScreen }: Props) {
  const { kind, points, isClosed, isFilled } = outlineOf(graphic, graphic.points.map(place));
  const onScreen = points.map(toScreen);
  const path =
    kind === 'marks'
      ? onScreen.map(({ x, y }) => `M${x - arm} ${y}h${2 * arm}M${x} ${y - arm}v${2 * arm}`).join('')
      : `M${onScreen.map(({ x, y }) => `${x} ${y}`).join('L')}${isClosed ? 'Z' : ''}`;
  return (
    <>
      <path className={styles.edge} d={path} />
      <path className={styles.line} d={path} data-filled={isFilled || undefined} />
    </>
  );
}
