import type { AnnotationPoint } from './annotations.ts';
import type { PixelPoint } from './image-references.ts';
import type { DisplayedArea, PresentationState } from './presentation-state.ts';

/** Directions on the screen: one step along a row, and one step down a column. */
export type Orientation = { along: PixelPoint; down: PixelPoint };

type Turn = Pick<PresentationState, 'rotation' | 'isFlipped'>;

/** Rotates a direction by 90 degrees clockwise: right becomes down. */
const quarter = ({ x, y }: PixelPoint): PixelPoint => ({ x: -y + 0, y: x });

const turned = (step: PixelPoint, { rotation, isFlipped }: Turn): PixelPoint => {
  let way = step;
  for (let turn = 0; turn < rotation; turn += 90) way = quarter(way);
  // Mirrors only after the rotation (PS3.3 §C.10.6).
  return isFlipped ? { x: -way.x + 0, y: way.y } : way;
};

/** Returns the orientation that a state sets: rotated clockwise, then mirrored left to right. */
export const orientationOf = (turn: Turn): Orientation => ({
  along: turned({ x: 1, y: 0 }, turn),
  down: turned({ x: 0, y: 1 }, turn),
});

/** Returns the center of an area in pixels, and its extent across and down the screen. */
export const areaOnScreen = ({ corners: [first, last] }: DisplayedArea, { along }: Orientation) => {
  const [columns, rows] = [last.x - first.x, last.y - first.y];
  const isUpright = along.y === 0;
  return {
    middle: { x: (first.x + last.x) / 2, y: (first.y + last.y) / 2 },
    across: isUpright ? columns : rows,
    downwards: isUpright ? rows : columns,
  };
};

/**
 * Converts an annotation point to image pixels. A fraction counts from the corner of the area that is at the top left
 * of the screen.
 */
export const inPixels = (point: AnnotationPoint, area: DisplayedArea, orientation: Orientation): PixelPoint => {
  if (point.units === 'PIXEL') return point;
  const { middle, across, downwards } = areaOnScreen(area, orientation);
  const [right, below] = [(point.x - 0.5) * across, (point.y - 0.5) * downwards];
  const { along, down } = orientation;
  // Uses the transpose, which inverts the rotation.
  return { x: middle.x + right * along.x + below * along.y, y: middle.y + right * down.x + below * down.y };
};
