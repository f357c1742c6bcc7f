import { getEnabledElement, type Types, viewportHasPan, viewportHasZoom } from '@cornerstonejs/core';
import { BaseTool } from '@cornerstonejs/tools';
import type { EventTypes, PublicToolProps } from '@cornerstonejs/tools/types';

type Spot = readonly [x: number, y: number];

/** Positions of two fingers, in CSS pixels relative to the element. */
type Fingers = readonly [Spot, Spot];

const apart = ([one, other]: Fingers): number => Math.hypot(one[0] - other[0], one[1] - other[1]);

const middleOf = ([one, other]: Fingers): Spot => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];

/** Limits of the zoom by pinch; 1 fits the whole image. */
const [smallest, largest] = [0.1, 60];

/**
 * Zoom and pan of an image. `pan` is the distance from the center of the element to the center of the image, in CSS
 * pixels.
 */
type ImagePlacement = { zoom: number; pan: Spot };

/** Fingers and image at the start of a pinch. `center` is the center of the element. */
export type Hold = { fingers: Fingers; lie: ImagePlacement; center: Spot };

/** Returns zoom and pan after the fingers have moved. The image points under the fingers stay under them. */
export const pinched = ({ fingers, lie: { zoom, pan }, center }: Hold, now: Fingers): ImagePlacement => {
  // Keeps the zoom if both fingers began at the same point, because there is no distance to compare.
  const targetZoom = apart(fingers) > 0 ? (zoom * apart(now)) / apart(fingers) : zoom;
  const next = Math.min(largest, Math.max(smallest, targetZoom));
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
 * Tool to zoom and pan with two fingers. The tool of the imaging library zooms by a share of the viewport height
 * (Cornerstone3D 5.14.0, ZoomTool._dragViewportZoom). On planes, it also ignores the direction of the fingers.
 */
export class PinchTool extends BaseTool {
  static override toolName = 'Pinch';

  constructor(toolProps: PublicToolProps = {}) {
    super(toolProps, { supportedInteractionTypes: ['Touch'], configuration: {} });
  }

  /** Start of the gesture. All moves count from the start, because single steps would lose pans below one pixel. */
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
