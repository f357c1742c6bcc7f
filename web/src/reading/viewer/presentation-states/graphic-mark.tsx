import type { AnnotationPoint, Graphic } from './annotations.ts';
import type { ToScreen } from './apply-state.ts';
import { cssColor } from '#reading/viewer/segments/color.ts';
import { outlineOf } from './graphic-outlines.ts';
import styles from './presentation-layer.module.css';
import type { PixelPoint } from './image-references.ts';

type Props = { graphic: Graphic; place: (point: AnnotationPoint) => PixelPoint; toScreen: ToScreen };

/** Half the size of the cross that shows a point, in screen pixels. */
const arm = 6;

/** Opacity of a filled shape. The image stays visible below it. */
const filled = 0.35;

/** Line or shape of a state. A darker line below keeps it visible on a white image. */
export function GraphicMark({ graphic, place, toScreen }: Props) {
  const color = graphic.color && cssColor(graphic.color);
  const { kind, points, isClosed, isFilled } = outlineOf(graphic, graphic.points.map(place));
  const onScreen = points.map(toScreen);
  const path =
    kind === 'marks'
      ? onScreen.map(({ x, y }) => `M${x - arm} ${y}h${2 * arm}M${x} ${y - arm}v${2 * arm}`).join('')
      : `M${onScreen.map(({ x, y }) => `${x} ${y}`).join('L')}${isClosed ? 'Z' : ''}`;
  return (
    <>
      <path className={styles.edge} d={path} />
      <path
        className={styles.line}
        d={path}
        data-filled={isFilled || undefined}
        style={color ? { stroke: color, ...(isFilled && { fill: color, fillOpacity: filled }) } : undefined}
      />
    </>
  );
}
