import type { AnnotationPoint } from './annotations.ts';
import type { PixelPoint } from './image-references.ts';
import type { DisplayedArea, PresentationState } from './presentation-state.ts';

/** Which way on the screen a step along a row and one down a column of the image goes. */
export type Orientation = { along: PixelPoint; down: PixelPoint };

type Turn = Pick<PresentationState, 'rotation' | 'isFlipped'>;

/** A quarter turn to the right: what pointed right points down. */
const quarter = ({ x, y }: PixelPoint): PixelPoint => ({ x: -y + 0, y: x });

const turned = (step: PixelPoint, { rotation, isFlipped }: Turn): PixelPoint => {
  let way = step;
  for (let turn = 0; turn < rotation; turn += 90) way = quarter(way);
  // The mirroring follows the turn (PS3.3 §C.10.6).
  return isFlipped ? { x: -way.x + 0, y: way.y } : way;
};

/** How a state lays an image: first turned clockwise, then mirrored left and right. */
export const orientationOf = (turn: Turn): Orientation => ({
  along: turned({ x: 1, y: 0 }, turn),
  down: turned({ x: 0, y: 1 }, turn),
});

/** The middle of an area in pixels, and how many of them it shows across and down the screen. */
export const areaOnScreen = ({ corners: [first, last] }: DisplayedArea, { along }: Orientation) => {
  const [columns, rows] = [last.x - first.x, last.y - first.y];
  const isUpright = along.y === 0;
  return {
    middle: { x: (first.x + last.x) / 2, y: (first.y + last.y) / 2 },
    across: isUpright ? columns : rows,
    downwards: isUpright ? rows : columns,
  };
};

/** A point of an annotation in pixels of the image; a fraction counts from the area's corner at the top left of the screen. */
export const inPixels = (point: AnnotationPoint, area: DisplayedArea, orientation: Orientation): PixelPoint => {
  if (point.units === 'PIXEL') return point;
  const { middle, across, downwards } = areaOnScreen(area, orientation);
  const [right, below] = [(point.x - 0.5) * across, (point.y - 0.5) * downwards];
  const { along, down } = orientation;
  // A turn is undone by its transpose.
  return { x: middle.x + right * along.x + below * along.y, y: middle.y + right * down.x + below * down.y };
};
