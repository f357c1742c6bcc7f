import { getEnabledElement, type Types, viewportHasPan, viewportHasZoom } from '@cornerstonejs/core';
import { BaseTool } from '@cornerstonejs/tools';
import type { EventTypes, PublicToolProps } from '@cornerstonejs/tools/types';

type Spot = readonly [x: number, y: number];

/** Two fingers, in CSS pixels relative to their element. */
type Fingers = readonly [Spot, Spot];

const apart = ([one, other]: Fingers): number => Math.hypot(one[0] - other[0], one[1] - other[1]);

const middleOf = ([one, other]: Fingers): Spot => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];

/** Limits of the zoom by pinch; 1 fits the whole image. */
const [smallest, largest] = [0.1, 60];

/** Zoom and pan of an image; `pan` is the distance of its center from that of its element, in CSS pixels. */
type Lie = { zoom: number; pan: Spot };

/** Fingers and image at the start of the pinch. `center` is the center of the element. */
export type Hold = { fingers: Fingers; lie: Lie; center: Spot };

/** Computes zoom and pan for moved fingers: the image points under them stay under them. */
export const pinched = ({ fingers, lie: { zoom, pan }, center }: Hold, now: Fingers): Lie => {
  // Fingers that begin at one point have no distance to scale.
  const wanted = apart(fingers) > 0 ? (zoom * apart(now)) / apart(fingers) : zoom;
  const next = Math.min(largest, Math.max(smallest, wanted));
  const [from, to] = [middleOf(fingers), middleOf(now)];
  const moved = (axis: 0 | 1): number =>
    to[axis] - center[axis] - (from[axis] - center[axis] - pan[axis]) * (next / zoom);
  return { zoom: next, pan: [moved(0), moved(1)] };
};

const fingersOf = ([one, other, third]: readonly { canvas: Types.Point2 }[]): Fingers | undefined =>
  one && other && !third ? [one.canvas, other.canvas] : undefined;

const areSame = ([one, other]: Fingers, [first, second]: Fingers): boolean =>
  one.every((part, axis) => part === first[axis]) && other.every((part, axis) => part === second[axis]);

/**
 * Pinch to zoom and pan. The library's own tool zooms by a share of the viewport height (Cornerstone3D 5.14.0,
 * ZoomTool._dragViewportZoom). On planes it ignores the direction of the fingers.
 */
export class PinchTool extends BaseTool {
  static override toolName = 'Pinch';

  constructor(toolProps: PublicToolProps = {}) {
    super(toolProps, { supportedInteractionTypes: ['Touch'], configuration: {} });
  }

  /** Start of the gesture. Steps between moves would lose pans below one pixel. */
  #held: { hold: Hold; now: Fingers } | undefined;

  touchDragCallback({ detail }: EventTypes.TouchDragEventType) {
    const { element, lastPointsList, currentPointsList } = detail;
    const viewport = getEnabledElement(element)?.viewport;
    const [before, now] = [fingersOf(lastPointsList), fingersOf(currentPointsList)];
    if (!before || !now || !viewport || !viewportHasZoom(viewport) || !viewportHasPan(viewport)) return;
    const goesOn = this.#held && areSame(this.#held.now, before);
    const [x, y] = viewport.getPan();
    const hold = (goesOn && this.#held?.hold) || {
      fingers: before,
      lie: { zoom: viewport.getZoom(), pan: [x, y] },
      center: [element.clientWidth / 2, element.clientHeight / 2],
    };
    this.#held = { hold, now };
    const { zoom, pan } = pinched(hold, now);
    viewport.setZoom(zoom);
    viewport.setPan([pan[0], pan[1]]);
    viewport.render();
  }
}
